#!/usr/bin/env bash
# Measures the tables of the documents that are missing or older than the hardware, and writes them there; what is done
# stays if it is interrupted. Options go to `bench`: --plan lists the tables, --mark writes which are older, --only TEXTS
# takes those with one of these in their titles or commands.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --quiet --release --bins
exec target/release/bench --results README.md docs/RESULTS.md docs/FPGA.md "$@"
