//! What of a module's documentation stands above it.
use std::iter::once;

/// What the parts of a module's documentation begin with, and whether a user of the Verilog is told them.
const PARTS: [(&str, bool); 7] = [
    ("Ports: ", false),
    ("Latency: ", true),
    ("Reset", true),
    ("Invariants: ", true),
    ("Critical path: ", false),
    ("Source: ", false),
    ("Mirror", false),
];

/// The first paragraph of a module's documentation, each item of a list in a line, and a line for each part behind it that its
/// user is told.
pub(super) fn for_users(documentation: &str) -> String {
    let lines: Vec<&str> = documentation.lines().map(str::trim).collect();
    let mut paragraphs = lines.split(|line| line.is_empty());
    let mut first = String::new();
    for line in paragraphs.next().unwrap_or_default() {
        let between = if line.starts_with("- ") { "\n" } else { " " };
        first.extend([between, line]);
    }
    let mut told = vec![first.trim().to_owned()];
    for paragraph in paragraphs.map(|lines| lines.join(" ")) {
        let sentences = once(0).chain(paragraph.match_indices(". ").map(|(end, point)| end + point.len()));
        let begins = |at: usize| PARTS.iter().find(|(label, _)| paragraph[at..].starts_with(label));
        let mut parts: Vec<(usize, bool)> =
            sentences.filter_map(|at| begins(at).map(|(_, is_told)| (at, *is_told))).collect();
        parts.push((paragraph.len(), false));
        let is_told = parts.windows(2).filter(|pair| pair[0].1);
        told.extend(is_told.map(|pair| paragraph[pair[0].0..pair[1].0].trim().to_owned()));
    }
    told.join("\n")
}

#[cfg(test)]
mod tests {
    use super::for_users;

    #[test]
    fn a_user_is_told_of_latency_reset_and_invariants() {
        let documentation =
            " Counts.\n\n Ports: below. Latency: one cycle; see\n `q`. Reset, and `clear`: 0. Invariants: \
                             none. Critical\n path: an adder. Source: own.\n\n Beside it.\n";
        let expected =
            ["Counts.", "Latency: one cycle; see `q`.", "Reset, and `clear`: 0.", "Invariants: none."];
        assert_eq!(for_users(documentation).lines().collect::<Vec<_>>(), expected);
        assert_eq!(
            for_users(" Adds\n what there is:\n - one.\n - two.\n"),
            "Adds what there is:\n- one.\n- two."
        );
    }
}
