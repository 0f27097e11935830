//! What compilers say, and what is to be done.

/// What is wrong with functions of the compiler's own library.
pub(super) const IN_SOFTWARE: &str =
    "the core has no instructions for double, and nobody has marked divergence in functions that compute it: write float, \
     and 1.0f for 1.0";

/// What the compiler says, and what is to be done.
const ADVICE: &[(&str, &str)] = &[
    (
        "symbol `.Lsimt_",
        "GCC has copied a SIMT_IF, SIMT_WHILE or their end, and lanes would wait for one another at two places: mark \
         the function that has it SIMT_FUNCTION, or write `#pragma GCC unroll 1` before the loop around it",
    ),
    (
        "undefined reference to `main'",
        "a file needs a place to start: int main(void), which launches warps (simt.h), or SIMT_KERNEL(name), which \
         runs as a grid (simt_grid.h)",
    ),
    ("undefined reference to `__", IN_SOFTWARE),
    (
        "#include <",
        "there is no C library; simt.h has what prints, simt_math.h exponential and logarithm (folders of your own headers: \
         -I behind --, or include = [..] in a launch description)",
    ),
    ("undefined reference to `printf'", "there is no C library; simt.h has simt_print, simt_print_unsigned, simt_print_hex"),
];

/// What a compiler has said, with advice where that is known.
pub(super) fn advised(said: &str) -> String {
    let known = ADVICE.iter().filter(|(sign, _)| said.contains(sign));
    let advice = known.map(|(_, advice)| format!("advice: {advice}"));
    [said.trim_end().to_owned()].into_iter().chain(advice).collect::<Vec<_>>().join("\n")
}
