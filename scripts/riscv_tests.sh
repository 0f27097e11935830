#!/usr/bin/env bash
# Runs the RISC-V project's own tests of the instruction set (riscv-tests: rv32ui, rv32um, rv32uf) in all lanes of a warp, each
# instruction checked in lock step. They are not part of this project.
#   scripts/riscv_tests.sh FOLDER [OPTION of sim ..]
# FOLDER is a copy of riscv-tests. Without options they run on the preset `small`; `--engine both` compares every cycle with
# the timing model. A core without floating point runs those of $SETS alone: SETS="rv32ui rv32um"; one with --atomics has
# SETS=rv32ua too.
# $RISCV_CC replaces the compiler, and $SIM the program.
set -euo pipefail

if [ $# -eq 0 ] || [ ! -d "$1/isa/macros/scalar" ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2
    exit 2
fi
isa=$(realpath "$1")/isa
shift
[ $# -ne 0 ] || set -- --preset small
cd "$(dirname "$0")/.."
if [ -z "${SIM:-}" ]; then
    cargo build --quiet --release --bin sim
    SIM=target/release/sim
fi
# A program by its path, which may have spaces, or several words.
if [ -x "$SIM" ]; then sim=("$SIM"); else read -ra sim <<<"$SIM"; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for set in ${SETS:-rv32ui rv32um rv32uf}; do
    for test in "$isa/$set"/*.S; do
        # Of misaligned accesses, which fault on this core (docs/ISA.md, section 8), and of LR and SC, which it has not.
        case $(basename "$test") in ma_data.S | lrsc.S) continue ;; esac
        # At one word, lanes would take turns.
        lanes=-1
        [ "$set" != rv32ua ] || lanes=1
        # Several words are several arguments.
        # shellcheck disable=SC2086
        ${RISCV_CC:-riscv64-unknown-elf-gcc} -march=rv32imaf_zicsr_zifencei -mabi=ilp32f -nostdlib -static \
            -DLANES="$lanes" -I sim/riscv-tests -I "$isa/macros/scalar" -T sim/kernels/runtime/link.ld \
            -o "$work/$set-$(basename "$test" .S).elf" "$test"
    done
done
"${sim[@]}" "$@" "$work"/*.elf
