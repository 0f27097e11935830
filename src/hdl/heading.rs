//! What stands above a module in the Verilog.
use super::module::Part;
use rust_hdl::prelude::*;

/// Name of the timing information that holds the heading of a module; read by the back end.
pub(crate) const HEADING: &str = "heading";

/// What stands above a module in the Verilog: its name, and of what is said above its declaration the first paragraph and the
/// sentences on latency, reset and invariants.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    name: &'static str,
    about: &'static str,
}

impl Heading {
    /// The heading of the module `name`, of which `about` is said.
    pub fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about }
    }
}

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
fn for_users(documentation: &str) -> String {
    let lines: Vec<&str> = documentation.lines().map(str::trim).collect();
    let mut paragraphs = lines.split(|line| line.is_empty());
    let mut first = String::new();
    for line in paragraphs.next().unwrap_or_default() {
        let between = if line.starts_with("- ") { "\n" } else { " " };
        first.extend([between, line]);
    }
    let mut told = vec![first.trim().to_owned()];
    for paragraph in paragraphs.map(|lines| lines.join(" ")) {
        let begins = |at: usize| match paragraph.is_char_boundary(at)
            && (at == 0 || paragraph[..at].ends_with(". "))
        {
            true => PARTS.iter().find(|(label, _)| paragraph[at..].starts_with(label)),
            false => None,
        };
        let mut parts: Vec<(usize, bool)> =
            (0..paragraph.len()).filter_map(|at| Some((at, begins(at)?.1))).collect();
        parts.push((paragraph.len(), false));
        let is_told = parts.windows(2).filter(|pair| pair[0].1);
        told.extend(is_told.map(|pair| paragraph[pair[0].0..pair[1].0].trim().to_owned()));
    }
    told.join("\n")
}

impl Part for Heading {}
impl Logic for Heading {
    fn update(&mut self) {}
    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: HEADING.into(),
            clock: self.name.into(),
            inputs: vec![for_users(self.about)],
            outputs: vec![],
        }]
    }
}
impl Block for Heading {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        probe.visit_end_scope(name, self);
    }
}

#[cfg(test)]
mod tests {
    use super::for_users;

    #[test]
    fn a_user_is_told_of_latency_reset_and_invariants() {
        let documentation =
            " Counts.\n\n Ports: below. Latency: one cycle; see\n `q`. Reset, and `clear`: 0. \
                             Invariants: none. Critical\n path: an adder. Source: own.\n\n Beside it.\n";
        let expected =
            ["Counts.", "Latency: one cycle; see `q`.", "Reset, and `clear`: 0.", "Invariants: none."];
        assert_eq!(for_users(documentation).lines().collect::<Vec<_>>(), expected);
        assert_eq!(
            for_users(" Adds\n what there is:\n - one.\n - two.\n"),
            "Adds what there is:\n- one.\n- two."
        );
    }
}
