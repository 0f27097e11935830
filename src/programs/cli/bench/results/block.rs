//! A document, and the places in it that commands fill.
//!
//! ```text
//! <!-- table cycles
//! bench --sched all --kernels psort
//! -->
//! | the rows | ... |
//!
//! Measured by `bench --sched all --kernels psort` at 0123abc.
//! <!-- end of table, commit 0123abc, hardware 89abcdef -->
//! ```
//!
//! The word behind `table` stands in the titles of the tables that are taken. Several commands, each with a name and a
//! colon before it, give a column each. What `gen` commands stand for is measured by hand: only what is said of its age
//! is written.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::cli::UsageError;

const BEGIN: &str = "<!-- table ";
const END: &str = "<!-- end of table";

/// A document's text, taken apart.
#[derive(Debug)]
pub(super) struct Document {
    pub path: PathBuf,
    lines: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A place for a table.
#[derive(Debug, PartialEq)]
pub(super) struct Block {
    /// Its first line, from 1.
    pub line: usize,
    /// From its first line to its last.
    lines: Range<usize>,
    /// What the titles of its tables have in them.
    pub title: String,
    pub commands: Vec<Command>,
    /// What stands there.
    pub body: Vec<String>,
    /// What the reader is told of how and when it was measured.
    pub stamp: String,
    pub made: Option<Made>,
}

/// When a table was measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Made {
    pub commit: String,
    /// Of the cores that were measured.
    pub hardware: String,
}

/// A command whose output has the table, or a column of it.
#[derive(Debug, PartialEq)]
pub(super) struct Command {
    pub label: Option<String>,
    pub text: String,
    pub words: Vec<String>,
}

impl Document {
    /// # Errors
    /// A table that does not end, or whose commands make no sense.
    pub(super) fn parse(path: &Path, text: &str) -> Result<Self, UsageError> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let fault = |line: usize, what: &str| UsageError(format!("{}:{}: {what}", path.display(), line + 1));
        let (mut blocks, mut at) = (vec![], 0);
        while let Some(begin) = (at..lines.len()).find(|&line| lines[line].starts_with(BEGIN)) {
            let find = |from: usize, text: &str| (from..lines.len()).find(|&l| lines[l].starts_with(text));
            let commands_end =
                find(begin, "-->").ok_or_else(|| fault(begin, "no line with --> behind its commands"))?;
            let end = find(commands_end, END)
                .filter(|&end| !(begin + 1..end).any(|line| lines[line].starts_with(BEGIN)))
                .ok_or_else(|| fault(begin, "a table without `<!-- end of table -->`"))?;
            let commands: Option<Vec<_>> =
                lines[begin + 1..commands_end].iter().map(|line| Command::parse(line)).collect();
            let commands = commands.filter(|commands| !commands.is_empty());
            let commands = commands.ok_or_else(|| fault(begin, "no commands, or one with an open quote"))?;
            let by_hand = commands.iter().filter(|command| command.is_by_hand()).count();
            if by_hand != 0 && by_hand != commands.len() {
                return Err(fault(
                    begin,
                    "gen, which is for what is measured by hand, beside other commands",
                ));
            }
            let mut body = lines[commands_end + 1..end].to_vec();
            let stamp = body.pop_if(|line| line.starts_with("Measured by ")).unwrap_or_default();
            body.pop_if(|line| line.is_empty());
            let title = lines[begin][BEGIN.len()..].trim().to_owned();
            let made = Made::parse(&lines[end]);
            let lines = begin..end + 1;
            blocks.push(Block { line: begin + 1, lines, title, commands, body, stamp, made });
            at = end + 1;
        }
        Ok(Self { path: path.to_owned(), lines, blocks })
    }

    /// The document with what its blocks say now.
    pub(super) fn text(&self) -> String {
        let (mut lines, mut at) = (vec![], 0);
        for block in &self.blocks {
            lines.extend(self.lines[at..block.lines.start].iter().cloned());
            lines.extend(block.text());
            at = block.lines.end;
        }
        lines.extend(self.lines[at..].iter().cloned());
        lines.join("\n") + "\n"
    }
}

impl Block {
    fn text(&self) -> Vec<String> {
        let label = |command: &Command| command.label.as_ref().map_or(String::new(), |l| format!("{l}: "));
        let commands = self.commands.iter().map(|command| label(command) + &command.text);
        let end = match &self.made {
            Some(Made { commit, hardware }) => format!("{END}, commit {commit}, hardware {hardware} -->"),
            None => format!("{END} -->"),
        };
        let begin = [format!("{BEGIN}{}", self.title)].into_iter().chain(commands).chain(["-->".into()]);
        let stamp = [String::new(), self.stamp.clone()].into_iter().filter(|_| !self.stamp.is_empty());
        begin.chain(self.body.iter().cloned()).chain(stamp).chain([end]).collect()
    }

    /// Whether people measure it, and not a command.
    pub(super) fn is_by_hand(&self) -> bool {
        self.commands.iter().all(Command::is_by_hand)
    }

    /// Whether it was measured on this hardware.
    pub(super) fn is_of(&self, hardware: &str) -> bool {
        self.made.as_ref().is_some_and(|made| made.hardware == hardware)
    }

    /// What its reader has to be told, if this is the hardware now.
    pub(super) fn right_stamp(&self, hardware: &str) -> String {
        let Some(Made { commit, .. }) = &self.made else { return String::new() };
        let since = if self.is_of(hardware) { "" } else { ", on hardware that has changed since" };
        let commands: Vec<_> = self.commands.iter().map(|command| format!("`{}`", command.text)).collect();
        let by = if self.is_by_hand() { "hand".to_owned() } else { commands.join(", ") };
        format!("Measured by {by} at {commit}{since}.")
    }

    /// A mistake in it.
    pub(super) fn fault(&self, path: &Path, why: &anyhow::Error) -> UsageError {
        UsageError(format!("{}:{}: {why:#}", path.display(), self.line))
    }
}

impl Made {
    fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix(END)?.strip_prefix(", commit ")?.strip_suffix(" -->")?;
        let (commit, hardware) = rest.split_once(", hardware ")?;
        Some(Self { commit: commit.into(), hardware: hardware.into() })
    }
}

impl Command {
    fn parse(line: &str) -> Option<Self> {
        let (label, text) = match line.split_once(": ") {
            Some((label, text)) => (Some(label.to_owned()), text),
            None => (None, line),
        };
        let words = shlex::split(text).filter(|words| !words.is_empty())?;
        Some(Self { label, text: text.to_owned(), words })
    }

    fn is_by_hand(&self) -> bool {
        self.words[0] == "gen"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Before.\n\n<!-- table cycles\none: bench --sched a\ntwo: bench --only 'b c'\n-->\n| old |\n\n\
                        Measured by x.\n<!-- end of table, commit 12, hardware ab -->\n\nBetween.\n<!-- table by hand\n\
                        gen --preset tiny\n-->\n| 7 |\n<!-- end of table -->\nAfter.\n";

    fn parse(text: &str) -> Result<Document, String> {
        Document::parse(Path::new("a.md"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_document_is_what_it_was_but_for_its_tables() {
        let mut document = parse(TEXT).unwrap();
        assert_eq!(document.text(), TEXT);
        let [first, second] = &mut document.blocks[..] else { panic!("two tables") };
        assert_eq!((first.line, second.line, first.title.as_str()), (3, 13, "cycles"));
        assert_eq!(first.commands[1].words, ["bench", "--only", "b c"]);
        assert_eq!(first.body, ["| old |"]);
        assert!(!first.is_by_hand() && second.is_by_hand() && second.made.is_none());
        let by = "Measured by `bench --sched a`, `bench --only 'b c'` at 12";
        assert_eq!(first.right_stamp("ab"), format!("{by}."));
        assert_eq!(first.right_stamp("cd"), format!("{by}, on hardware that has changed since."));
        first.body = vec!["| new |".into()];
        first.stamp = String::new();
        second.made = Some(Made { commit: "34".into(), hardware: "cd".into() });
        second.stamp = second.right_stamp("cd");
        let text = document.text();
        assert!(
            text.contains("-->\n| new |\n<!-- end of table, commit 12, hardware ab -->\n\nBetween."),
            "{text}"
        );
        assert!(
            text.contains(
                "| 7 |\n\nMeasured by hand at 34.\n<!-- end of table, commit 34, hardware cd -->\nAfter.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let fault = |text: &str| parse(text).unwrap_err();
        assert_eq!(fault("\n<!-- table x\nbench\n"), "a.md:2: no line with --> behind its commands");
        assert_eq!(fault("<!-- table x\nbench\n-->\n"), "a.md:1: a table without `<!-- end of table -->`");
        let nested = "<!-- table x\nbench\n-->\n<!-- table y\nbench\n-->\n<!-- end of table -->\n";
        assert_eq!(fault(nested), "a.md:1: a table without `<!-- end of table -->`");
        let no_commands = "a.md:1: no commands, or one with an open quote";
        assert_eq!(fault("<!-- table x\n-->\n<!-- end of table -->\n"), no_commands);
        assert_eq!(fault("<!-- table x\nbench 'a\n-->\n<!-- end of table -->\n"), no_commands);
        assert!(
            fault("<!-- table x\ngen\nbench\n-->\n<!-- end of table -->\n").contains("beside other commands")
        );
    }
}
