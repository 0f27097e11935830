#!/usr/bin/env bash
# Installs what is missing and runs every check: format, lints, documentation, tests (the emitted Verilog's lint is one).
# Of what is long by nature it takes a sample, chosen by the commit; with --full it tries all, and ten times as many seeds.
# It ends with an account of where the time went, also in target/test-times.json.
set -euo pipefail
cd "$(dirname "$0")/.."

case "$*" in
    "") ;;
    --full) export HEDDLE_TEST_FULL=1 ;;
    *) printf 'usage: scripts/test.sh [--full]\n' >&2; exit 2 ;;
esac
if [ -z "${HEDDLE_TEST_SEED:-}" ]; then
    commit=$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0)
    export HEDDLE_TEST_SEED=$((16#${commit:0:7} % 1000000))
fi

# Tests compare what programs say, which has no colours where nobody looks.
unset CLICOLOR_FORCE

target=${CARGO_TARGET_DIR:-target}
# Unless somebody has compiled incrementally here, nothing is kept for compiling a part of it anew: a tenth of the time.
[ -n "$(ls "$target/debug/incremental" 2>/dev/null)" ] || export CARGO_INCREMENTAL=0
mkdir -p "$target"
cache=${HEDDLE_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or HEDDLE_CACHE}/.cache}/heddle}
log=$target/test-output.txt
stamp=$target/test-began
: >"$log"
: >"$stamp"

now() { printf '%s' "${EPOCHREALTIME/[.,]/}"; } # in microseconds
began=$(now)
names=()
times=()
# step NAME COMMAND...: runs it and keeps its time.
step() {
    local name=$1 from
    shift
    printf '\n+ %s\n' "$*"
    from=$(now)
    names+=("$name")
    local result=0
    "$@" || result=$?
    times+=($((($(now) - from) / 1000)))
    return $result
}

# The times of tests are behind an unstable option of Rust's test harness, which nothing else here needs: the variable is
# set for the test programs alone, so that what is compiled is the same as without.
tests() {
    cargo --config "target.'cfg(all())'.runner=['env','RUSTC_BOOTSTRAP=1']" \
        test --quiet --no-fail-fast --tests -- --format=pretty -Z unstable-options --report-time "$@" 2>&1 | tee -a "$log"
}

seconds() { printf '%d.%d' $(($1 / 1000)) $(($1 / 100 % 10)); }

account() {
    local total built cached slowest i steps=() full=false
    total=$(seconds $((($(now) - began) / 1000)))
    [ -z "${HEDDLE_TEST_FULL:-}" ] || full=true
    built=$(find "$cache" -maxdepth 1 -name '*.so' -newer "$stamp" 2>/dev/null | wc -l)
    # Whoever uses a simulator takes its lock.
    cached=$(find "$cache" -maxdepth 1 -name '*-*.lock' -newer "$stamp" 2>/dev/null | wc -l)
    cached=$((cached > built ? cached - built : 0))
    # Seconds and name of the ten slowest tests; `head` would close the pipe early, which ends a script with pipefail.
    slowest=$(sed -n 's/^test \(.*\) \.\.\. .* <\([0-9.]*\)s>$/\2 \1/p' "$log" | sort -rn | sed -n 1,10p)

    printf '\n%8s s  in all; seed %s%s\n' "$total" "$HEDDLE_TEST_SEED" "${HEDDLE_TEST_FULL:+, in full}"
    for i in "${!times[@]}"; do
        printf '%8s s    %s\n' "$(seconds "${times[i]}")" "${names[i]}"
        steps+=("\"${names[i]}\": $(seconds "${times[i]}")")
    done
    printf '%8d    simulators built, %d from the cache\nslowest tests:\n' "$built" "$cached"
    [ -z "$slowest" ] || printf '%8.1f s    %s\n' $slowest
    {
        printf '{"seconds": %s, "seed": %s, "full": %s, ' "$total" "$HEDDLE_TEST_SEED" "$full"
        printf '"simulators": {"built": %d, "cached": %d}, ' "$built" "$cached"
        printf '"steps": {%s}, ' "$(printf '%s\n' "${steps[@]}" | paste -sd, -)"
        printf '"slowest": {%s}}\n' "$(sed -n 's/^\([^ ]*\) \(.*\)$/"\2": \1/p' <<<"$slowest" | paste -sd, -)"
    } >"$target/test-times.json"
}

# Installing waits for others most of the time: meanwhile those steps are done that need nothing of it but a linker.
installing=
if command -v g++ >/dev/null; then
    scripts/setup.sh &
    installing=$!
    trap wait EXIT
else
    step "set-up" scripts/setup.sh
fi
# The schedulers' files by name: the registry's list declares their modules, and rustfmt does not look into macros.
step "format" cargo fmt --all -- --check src/*/sched/*.rs
# Everything is compiled by clippy, which is the compiler with more lints: `cargo clippy` would first check it without compiling
# it, for a fifth more. Cargo keeps what clippy has compiled beside what the compiler has.
RUSTC_WORKSPACE_WRAPPER=$(rustc --print sysroot)/bin/clippy-driver
[ -x "$RUSTC_WORKSPACE_WRAPPER" ] || { printf 'error: clippy is missing: rustup component add clippy\n' >&2; exit 1; }
export RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings
step "lints and compiling" cargo test --quiet --no-run --tests
[ -z "$installing" ] || step "rest of the set-up" wait "$installing"
# `verilator` is a script that finds this program, in a tenth of a second each time.
[ -n "${VERILATOR:-}" ] || ! command -v verilator_bin >/dev/null || export VERILATOR=verilator_bin
RUSTDOC=$PWD/scripts/rustdoc.sh DOCUMENTATION=$target/doc RUSTDOCFLAGS="-D warnings" \
    step "documentation and its examples" cargo test --quiet --doc
passed=yes
step "simulators" tests --nocapture simulators:: || passed=no
step "tests" tests --skip simulators:: || passed=no
account
[ $passed = yes ] || { printf '\nsome tests failed\n' >&2; exit 1; }
printf '\nall checks passed\n'
