#!/usr/bin/env bash
# Runs a kernel on the synthesised netlist of a small core, in lock step with the model. No part of scripts/test.sh:
# mapping the multipliers to look-up tables, and compiling the thousands of cells for simulation, take minutes.
# The caches and the local memory are small because without block RAMs they become look-up tables too.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
exec cargo run --quiet --release --bin fpga -- --preset tiny --icache 256 --no-dcache --local-mem 64 --no-counters \
    --verify "${1:-psort:16}"
