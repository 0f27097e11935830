#!/usr/bin/env bash
# Runs programs of ISPASS-2009, Parboil, PolyBench/GPU, Rodinia and NVIDIA's CUDA samples from their own device code,
# unmodified, with the launch descriptions of sim/kernels/suites/, and checks their results on the host. The suites are not
# part of this project.
#   scripts/suites.sh FOLDER [OPTION of sim ..]
# FOLDER has one of the suites or more, in any arrangement. Without options programs run on the preset `paper`, whose blocks
# can have the 512 threads that bfs wants, with atomic instructions, votes and shuffles, on the timing model alone, for 10^9
# cycles at most; `--preset paper --atomics --cross-lane` runs them on the hardware in lock step.
# $SIM replaces the program, as in SIM="target/release/bench --kernels" for options that compare schedulers.
#   scripts/suites.sh --prepare DIR FOLDER
# runs nothing, and puts descriptions with links to the sources into DIR, by suite, for bench --experiment PAPER --suites DIR.
set -euo pipefail

prepared=
if [ "${1:-}" = --prepare ] && [ $# -eq 3 ]; then
    prepared=$2
    shift 2
fi
if [ $# -eq 0 ] || [ ! -d "$1" ]; then
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2
    exit 2
fi
suites=$(realpath "$1")
shift
[ $# -ne 0 ] || set -- --preset paper --atomics --cross-lane --engine model --max-cycles 1000000000
if [ -n "$prepared" ]; then
    mkdir -p "$prepared"
    work=$(realpath "$prepared")
    case $work/ in
    "$suites"/*)
        printf 'suites: error: %s lies in %s, which is searched: choose another folder\n' "$prepared" "$suites" >&2
        exit 2
        ;;
    esac
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
cd "$(dirname "$0")/.."
if [ -z "${SIM:-}" ] && [ -z "$prepared" ]; then
    cargo build --quiet --release --bin sim
    SIM=target/release/sim
fi
# A program by its path, which may have spaces, or several words.
if [ -x "${SIM:-}" ]; then sim=("$SIM"); else read -ra sim <<<"${SIM:-}"; fi

passed=() failed=() missing=()
# The files of that name, or of that path.
find_all() { find -L "$suites" -path "*/$1" -type f | sort; }
# The first of the lines read: of those with the words given, if there are any, and of these of those that are for CUDA.
first() {
    local all some word
    all=$(cat)
    for word in "$@" cuda; do
        some=$(grep -i -- "$word" <<<"$all" || true)
        all=${some:-$all}
    done
    head -n1 <<<"$all"
}
# Of the files read that are called so the folders in which there is all that a description names: suites have files of the
# same names.
complete() {
    local file folder name
    while read -r file; do
        folder=${file%/"$2"}
        while read -r name; do
            [ -e "$folder/$name" ] || continue 2
        done < <(grep -o '"source/[^"]*"' "$1" | sed 's|^"source/||; s|"$||')
        printf '%s\n' "$folder"
    done
}

for description in sim/kernels/suites/*/*.toml; do
    suite=$(basename "$(dirname "$description")") name=$(basename "$description" .toml)
    # Of several sources the first one is looked for.
    file=$(sed -n 's|^sources = \["source/\([^"]*\)".*|\1|p' "$description")
    source=$(find_all "$file" | complete "$description" "$file" | first "$suite")
    if [ -z "$source" ]; then
        missing+=("$name ($file)")
        continue
    fi
    folder=$work/$suite/$name
    mkdir -p "$folder"
    cp "$(dirname "$description")"/*.* "$folder"
    ln -sfn "$source" "$folder/source"
    # One header for all languages, or one of its own for CUDA.
    header=$(find_all polybench.h | first)
    [ -z "$header" ] || ln -sfn "$(dirname "$header")" "$folder/include"
    printf '== %s: %s\n' "$name" "${source#"$suites"/}/$file"
    if [ -n "$prepared" ]; then
        passed+=("$name")
        continue
    fi
    if "${sim[@]}" "$folder/$name.toml" "$@"; then passed+=("$name"); else failed+=("$name"); fi
done

[ -n "$prepared" ] && verb=prepared || verb=passed
printf '%s: %s\n' "$verb" "${passed[*]:-none}"
[ ${#missing[@]} -eq 0 ] || printf 'not in %s: %s\n' "$suites" "${missing[*]}"
[ ${#failed[@]} -eq 0 ] || { printf 'failed: %s\n' "${failed[*]}"; exit 1; }
[ ${#passed[@]} -ne 0 ]
