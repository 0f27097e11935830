#!/usr/bin/env bash
# Installs what is missing, then runs real kernels on the generated core, every instruction checked in lock step.
# Arguments go to `sim`; without any, a rank sort and a vector addition on the small preset.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
if [ $# -eq 0 ]; then
    set -- --preset small psort vecadd
fi
echo "+ cargo run --release --bin sim -- $*"
exec cargo run --quiet --release --bin sim -- "$@"
