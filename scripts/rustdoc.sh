#!/usr/bin/env bash
# scripts/test.sh has `cargo test --doc` call this for each crate: it makes the crate's documentation, below $DOCUMENTATION, and
# then tests the examples in it. `cargo doc` takes four times as long: it checks the crates, and all that they depend on, anew,
# where here they are compiled.
set -euo pipefail

without_test=()
for argument in "$@"; do
    [ "$argument" = --test ] || without_test+=("$argument")
done
[ ${#without_test[@]} -eq $# ] || rustdoc "${without_test[@]}" --out-dir "$DOCUMENTATION"
exec rustdoc "$@"
