//! A file of assembly, taken apart into functions and all that stands between them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::control::Kind;
use super::instruction::Instruction;
use super::lines::divided;
use super::repeat::repeated;
use super::{Convention, Error, Location};

/// A piece of a file.
#[derive(Debug)]
pub enum Part {
    /// A line that belongs to no function.
    Line(String),
    Function(Function),
}

/// A function between its label and its `.size`.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// Its lines, label and `.size` included.
    pub lines: Vec<String>,
    pub items: Vec<Item>,
    /// Whether it has SPLIT, JOIN or PRED by its author's hand.
    pub by_hand: bool,
}

/// What a function consists of.
#[derive(Debug)]
pub enum Item {
    Label(String),
    Instruction(Instruction),
}

/// A file.
#[derive(Debug)]
pub struct File {
    pub parts: Vec<Part>,
    /// Symbols that other files see.
    pub global: BTreeSet<String>,
    /// Symbols that are mentioned other than in a call: whoever has such an address may call it.
    pub taken: BTreeSet<String>,
}

/// Directives that mean nothing to the code around them, or that it is not the same with what is put between.
const DROPPED: &[&str] = &[".align", ".p2align", ".balign"];
/// Directives that stay where they are.
const KEPT: &[&str] = &[".loc", ".file", ".option"];
/// Lines that mention a function without taking its address.
const MENTIONS: &[&str] =
    &["call", ".type", ".size", ".globl", ".global", ".local", ".weak", ".section", ".hidden", ".loc"];

impl File {
    /// # Errors
    /// A function with something in it that is not understood.
    pub fn parse(name: &str, text: &str, convention: Convention) -> Result<Self, Error> {
        // How to unwind a stack frame; the code will be another one.
        let unwinding = |line: &str| line.trim_start().starts_with(".cfi_");
        let lines: Vec<&str> = text.lines().map(|line| if unwinding(line) { "" } else { line }).collect();
        let named = |directives: &[&str]| -> BTreeSet<&str> {
            lines.iter().filter_map(|line| symbol_of(line, directives)).collect()
        };
        let sized = named(&[".size"]);
        let functions: BTreeSet<&str> = lines
            .iter()
            .filter(|line| line.ends_with("@function") || line.ends_with("%function"))
            .filter_map(|line| symbol_of(line, &[".type"]))
            .filter(|symbol| sized.contains(symbol))
            .collect();
        let mut files = Files::new(name);
        let mut parts = vec![];
        let mut mentioning = vec![];
        let mut debugging = false;
        let mut at = 0;
        while at < lines.len() {
            let begun = label(lines[at]).filter(|label| functions.contains(label));
            let end = begun.and_then(|name| {
                (at..lines.len()).find(|&end| symbol_of(lines[end], &[".size"]) == Some(name))
            });
            if let (Some(name), Some(end)) = (begun, end) {
                parts.push(Part::Function(Function::parse(
                    name,
                    &lines,
                    at..end + 1,
                    &mut files,
                    convention,
                )?));
                mentioning.extend(&lines[at..=end]);
                at = end + 1;
            } else {
                files.follow(lines[at]);
                debugging = in_debugging(lines[at]).unwrap_or(debugging);
                if !debugging {
                    parts.push(Part::Line(lines[at].into()));
                    mentioning.push(lines[at]);
                }
                at += 1;
            }
        }
        let global = named(&[".globl", ".global", ".weak"]).into_iter().map(str::to_owned).collect();
        let taken = mentioning.into_iter().filter(|line| !is_mention(line)).flat_map(symbols);
        let taken = taken.filter(|symbol| functions.contains(symbol)).map(str::to_owned).collect();
        Ok(Self { parts, global, taken })
    }

    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.parts.iter().filter_map(|part| match part {
            Part::Function(function) => Some(function),
            Part::Line(_) => None,
        })
    }
}

impl Function {
    fn parse(
        name: &str,
        all: &[&str],
        range: Range<usize>,
        files: &mut Files,
        convention: Convention,
    ) -> Result<Self, Error> {
        let lines: Vec<String> = all[range.clone()].iter().map(|&line| line.into()).collect();
        let mut items = vec![];
        let mut locals = Locals::new(name);
        let body = range.start + 1..range.end - 1;
        for (index, line) in repeated(all, body) {
            files.follow(line);
            let (statements, comment) = divided(line);
            for statement in statements {
                let mut statement = statement.trim();
                while let Some((label, rest)) = leading_label(statement) {
                    items.push(Item::Label(locals.define(label)));
                    statement = rest;
                }
                if statement.is_empty() || DROPPED.iter().any(|dropped| statement.starts_with(dropped)) {
                    continue;
                }
                let statement = &locals.refer(statement);
                let at = files.at(index);
                items.push(Item::Instruction(if KEPT.iter().any(|kept| statement.starts_with(kept)) {
                    Instruction::bare(statement, &at, Kind::Directive)
                } else {
                    let parsed = Instruction::parse(statement, &at, name, convention)?;
                    Instruction { uniform: parsed.uniform || comment.trim() == "uniform", ..parsed }
                }));
            }
        }
        let by_hand = items.iter().any(|item| matches!(item, Item::Instruction(i) if i.kind == Kind::ByHand));
        Ok(Self { name: name.into(), lines, items, by_hand })
    }
}

/// Where in the sources the assembly is.
struct Files {
    assembly: String,
    names: BTreeMap<String, String>,
    at: Option<Location>,
}

impl Files {
    fn new(assembly: &str) -> Self {
        Self { assembly: assembly.into(), names: BTreeMap::new(), at: None }
    }

    fn follow(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(".file"), Some(number), Some(_)) if number.parse::<u32>().is_ok() => {
                // A directory may stand before the name.
                let name = line.split('"').skip(1).step_by(2).take(2).last();
                self.names.insert(number.into(), name.unwrap_or_default().into());
            }
            (Some(".loc"), Some(file), Some(line)) => {
                let file = self.names.get(file).cloned().unwrap_or_else(|| self.assembly.clone());
                self.at = line.parse().ok().map(|line| Location { file, line });
            }
            _ => {}
        }
    }

    /// Where the line of that index is from.
    fn at(&self, index: usize) -> Location {
        let own = || Location { file: self.assembly.clone(), line: index as u32 + 1 };
        self.at.clone().unwrap_or_else(own)
    }
}

/// Numeric labels, which may be defined again and again, get names.
struct Locals<'a> {
    function: &'a str,
    defined: BTreeMap<String, String>,
    ahead: BTreeMap<String, String>,
    count: usize,
}

impl<'a> Locals<'a> {
    fn new(function: &'a str) -> Self {
        Self { function, defined: BTreeMap::new(), ahead: BTreeMap::new(), count: 0 }
    }

    fn fresh(&mut self, number: &str) -> String {
        self.count += 1;
        format!(".Lnumber_{}_{number}_{}", self.function, self.count)
    }

    fn define(&mut self, label: &str) -> String {
        if !label.bytes().all(|c| c.is_ascii_digit()) {
            return label.into();
        }
        let name = self.ahead.remove(label).unwrap_or_else(|| self.fresh(label));
        self.defined.insert(label.into(), name.clone());
        name
    }

    /// The statement with the names of the labels that it refers to as `1b` or `1f`.
    fn refer(&mut self, statement: &str) -> String {
        let Some((rest, last)) = statement.rsplit_once([',', ' ', '\t']) else { return statement.into() };
        let (number, direction) = last.split_at(last.len().saturating_sub(1));
        if number.is_empty() || !number.bytes().all(|c| c.is_ascii_digit()) {
            return statement.into();
        }
        let name = match direction {
            "b" => self.defined.get(number).cloned(),
            "f" => {
                let fresh = self.fresh(number);
                Some(self.ahead.entry(number.into()).or_insert(fresh).clone())
            }
            _ => None,
        };
        name.map_or_else(|| statement.into(), |name| format!("{}{name}", &statement[..rest.len() + 1]))
    }
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// All words of a line of assembly that could be symbols.
pub fn symbols(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| !is_symbol(c)).filter(|word| !word.is_empty())
}

/// The label that a statement begins with, and the rest.
fn leading_label(statement: &str) -> Option<(&str, &str)> {
    let (label, rest) = statement.split_once(':')?;
    (!label.is_empty() && label.chars().all(is_symbol)).then(|| (label, rest.trim_start()))
}

fn label(line: &str) -> Option<&str> {
    leading_label(line).map(|(label, _)| label)
}

/// The first operand of a line that is one of these directives.
fn symbol_of<'a>(line: &'a str, directives: &[&str]) -> Option<&'a str> {
    let (directive, rest) = line.trim_start().split_once(char::is_whitespace)?;
    directives.contains(&directive).then(|| rest.split(',').next().unwrap_or(rest).trim())
}

/// Whether a line begins a section of debug information, which is of other code than what is made here, or another one.
fn in_debugging(line: &str) -> Option<bool> {
    let section = symbol_of(line, &[".section", ".pushsection"]);
    let plain = [".text", ".data", ".bss"].contains(&line.trim());
    section.map(|section| section.starts_with(".debug")).or(plain.then_some(false))
}

fn is_mention(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    MENTIONS.contains(&first) || first.ends_with(':')
}

#[cfg(test)]
mod tests {
    use crate::{mark, Convention, Verdict};

    const FUNCTION: &str = ".globl f\n.type f, @function\nf:\n";

    fn error(body: &str) -> String {
        mark("f.s", &format!("{FUNCTION}{body}\n.size f, .-f\n"), Convention::default())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        assert!(error("jr a5").starts_with("f.s:4: in f: jr a5: a jump whose target is not known"));
        assert!(error("\n\nfrobnicate a0").starts_with("f.s:6: in f: frobnicate a0: an unknown instruction"));
        assert!(error("j g").contains("a jump out of the function"));
        assert!(error(".word 0xffffffff").contains("numbers"));
        let located = ".file 1 \"/home\" \"k.c\"\n.loc 1 77 3\njr a5";
        assert!(error(located).starts_with("k.c:77: in f"), "{}", error(located));
    }

    /// The same number twice, forward and back.
    #[test]
    fn numeric_labels_are_the_next_ones_in_their_direction() {
        let body = "beqz a0, 1f\nsw a0, 0(a1)\n1: addi a2, a2, -1\nsw a2, 0(a1)\nbnez a2, 1b\n1: ret";
        let text =
            mark("f.s", &format!("{FUNCTION}{body}\n.size f, .-f\n"), Convention::default()).unwrap().text;
        let labels = text.lines().filter(|line| line.starts_with(".Lnumber_f_1_")).count();
        assert_eq!(labels, 2, "{text}");
        assert_eq!(text.matches("# JOIN").count(), 1, "the loop takes PRED: {text}");
    }

    /// One with SPLIT as a word, and one with `.insn`.
    #[test]
    fn functions_that_are_marked_by_hand_stay_as_they_are() {
        for split in [".word 0x0005228b", ".insn r 0x0b, 2, 0, t0, a0, x0"] {
            let text = format!("{FUNCTION}{split}\nbeqz a0, 1f\nsw a0, 0(a1)\n1: ret\n.size f, .-f\n");
            let marked = mark("f.s", &text, Convention::default()).unwrap();
            assert_eq!((marked.text, marked.by_hand), (text, vec!["f".to_owned()]));
        }
    }

    /// The name of a function is not its address.
    #[test]
    fn debug_information_takes_no_address() {
        let body = "addi sp, sp, -16\nsw ra, 12(sp)\nli a0, 4\ncall g\nlw ra, 12(sp)\naddi sp, sp, 16\nret\n.size f, .-f\n";
        let called = ".type g, @function\ng:\nbeqz a0, 1f\nsw a0, 0(a1)\n1: ret\n.size g, .-g\n";
        let verdict = |rest: &str| {
            let text = format!("{FUNCTION}{body}{called}{rest}\n");
            mark("f.s", &text, Convention::default()).unwrap().branches[0].verdict
        };
        assert_eq!(verdict(".section .debug_str\n.string \"g\""), Verdict::Uniform);
        assert_eq!(verdict(".data\n.word g"), Verdict::Split);
    }

    #[test]
    fn debug_information_goes() {
        let text = ".text\n.section .debug_info\n.4byte 1\n.data\nx: .word 1\n";
        let marked = mark("f.s", text, Convention::default()).unwrap();
        assert_eq!(marked.text, ".text\n.data\nx: .word 1\n");
    }
}
