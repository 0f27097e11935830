#!/usr/bin/env bash
# Builds the programs guided by a profile (profile-guided optimisation) of `bench --engine model`, for long experiments:
#   scripts/pgo.sh
#   target/guided/release/bench --engine model ..
# It builds them twice, first with counters in them, and takes twice the time of `cargo build --release`. What is in $RUSTFLAGS
# stays.
# The profile is read by llvm-profdata of rustc's own LLVM, which rustup installs.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { printf 'pgo: error: %s\n' "$*" >&2; exit 1; }

profdata=$(rustc --print target-libdir)/../bin/llvm-profdata
if [ ! -x "$profdata" ]; then
    llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    if command -v rustup >/dev/null && rustup component add llvm-tools; then
        [ -x "$profdata" ] || fail "$profdata is not there, though rustup has added its component llvm-tools"
    else
        profdata=$(command -v "llvm-profdata-$llvm") ||
            fail "no llvm-profdata of rustc's LLVM: rustup component add llvm-tools, or install llvm-profdata-$llvm"
    fi
fi

# build FLAG ARGUMENT ..: flags are handed over between bytes 1f, for the path of this folder may have spaces. The first is that
# of .cargo/config.toml, which is not read then.
build() {
    local flags=-Clto=off$'\x1f'${RUSTFLAGS:+${RUSTFLAGS// /$'\x1f'}$'\x1f'}$1
    CARGO_ENCODED_RUSTFLAGS=$flags cargo build --release "${@:2}"
}

guided=$PWD/target/guided
counts=$guided/counts
trap 'rm -rf "$counts"' EXIT
build "-Cprofile-generate=$counts" --bin bench --target-dir target/counting
# What the build itself has counted, in procedural macros.
rm -rf "$counts"
mkdir -p "$counts"
# Kernels of all kinds under every policy, on one slice and on several.
target/counting/release/bench --engine model --sched all --mem dram \
    --kernels sgemm:16,psort:64,bfs,reduce,spmv,blackscholes,grid_reduce,grid_histogram \
    --presets small,large,dual,pascal >"$counts/out" 2>"$counts/notes" ||
    { cat "$counts/notes" >&2; fail "the program with counters has failed"; }
"$profdata" merge -o "$guided/engine.profdata" "$counts"/*.profraw
build "-Cprofile-use=$guided/engine.profdata" --bins --target-dir "$guided"
