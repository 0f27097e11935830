#!/usr/bin/env bash
# Installs what is missing, then runs every check: format, lints, documentation, tests (the emitted Verilog's lint is one).
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
    printf '\n+ %s\n' "$*"
    "$@"
}

scripts/setup.sh
step cargo fmt --check
step cargo clippy --quiet --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --quiet --no-deps
step cargo test --quiet --no-fail-fast
printf '\nall checks passed\n'
