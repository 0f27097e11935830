//! Marks divergence in the assembly of a plain compiler.
//!
//! A branch of the core takes the whole warp along with its last active lane (docs/ISA.md, section 1). [`mark`] reads what
//! GCC or clang has made of ordinary C and puts SPLIT, JOIN and PRED where lanes may part and meet again, so that each lane
//! computes what it would alone. One pass is one file:
//!
//! 1. `parse`, `repeat`, `instruction`, `control`, `operands`: functions, and what each instruction reads and writes.
//! 2. `graph`: basic blocks, immediate post-dominators, natural loops.
//! 3. `frame`, `classes`, `constants`, `uniformity`, `callers`: which values, and so which branches, are the same in all lanes that are active
//!    together.
//! 4. `select`: short ways for which no lanes need to part.
//! 5. `barriers`: what cannot be right.
//! 6. `regions`: where lanes meet again, and which token or mask that needs for how long.
//! 7. `liveness`, `homes`, `plan`: registers for these.
//! 8. `edges`, `branches`, `prologue`, `insert`: the code; `explain`: why.
//!
//! A function that has SPLIT, JOIN or PRED already is left as it is.
//!
//! ```
//! let text = ".globl f\n.type f, @function\nf:\n\tbeqz a0, .L1\n\tsw a1, 0(a0)\n.L1:\n\tmv a0, a1\n\tret\n\t.size f, .-f\n";
//! let marked = divergence::mark("f.s", text, divergence::Convention::default())?;
//! assert!(marked.text.contains("SPLIT") && marked.text.contains("JOIN"));
//! assert_eq!(marked.branches[0].at.to_string(), "f.s:4");
//! # Ok::<(), divergence::Error>(())
//! ```
#![warn(missing_docs)]

mod barriers;
mod branches;
mod callers;
mod classes;
mod constants;
mod control;
mod convention;
mod edges;
mod error;
mod explain;
mod frame;
mod graph;
mod homes;
mod insert;
mod instruction;
mod lines;
mod liveness;
mod operands;
mod parse;
mod places;
mod plan;
mod prologue;
mod regions;
mod repeat;
mod scratch;
mod select;
mod uniformity;

pub use barriers::Unreached;
pub use convention::Convention;
pub use error::{Error, Location};
pub use explain::{Branch, Verdict};
pub use parse::symbols;

use callers::Analysis;
pub use callers::BODY_OF;
use insert::{Writer, BROADCAST};
use parse::{File, Part};
use plan::Plan;

/// Differs between versions of this tool, so that nobody takes what one has made for what another would make.
pub const VERSION: &str = env!("SOURCES");

/// Options that the compiler needs, besides those that its user likes.
///
/// Two registers are left alone, and `tp`, which points to the frames of what divergence needs, or `s11` where it does not. No function jumps into
/// another one, or relies on what another one leaves alone. Jumps go where labels are, not where a table says. Loops begin
/// where they are tested, and are not copied, nor is what comes before a branch whose condition is known on one way there: a
/// second copy of a barrier or shuffle would be met by other lanes.
pub const GCC_OPTIONS: &[&str] = &[
    "-ffixed-t5",
    "-ffixed-t6",
    "-ffixed-tp",
    "-fno-jump-tables",
    "-fno-optimize-sibling-calls",
    "-fno-ipa-ra",
    "-fno-reorder-blocks-and-partition",
    "-fno-asynchronous-unwind-tables",
    "-fno-dwarf2-cfi-asm",
    "-fno-thread-jumps",
    "-fno-tree-ch",
    "-freorder-blocks-algorithm=simple",
];

/// What GCC is told besides for [`Convention::with_thread_local_variables`]: a register is left alone for the frames, and
/// thread-local variables are found without a table.
pub const GCC_THREAD_LOCAL_OPTIONS: &[&str] = &["-ffixed-s11", "-ftls-model=local-exec"];

/// The same for clang.
pub const CLANG_THREAD_LOCAL_OPTIONS: &[&str] = &["-ftls-model=local-exec"];

/// [`GCC_OPTIONS`] for clang, which makes no copies where functions are convergent.
pub const CLANG_OPTIONS: &[&str] = &[
    "--target=riscv32-unknown-elf",
    "-ffixed-x30",
    "-ffixed-x31",
    "-ffixed-x4",
    "-fno-jump-tables",
    "-fno-optimize-sibling-calls",
    "-fno-asynchronous-unwind-tables",
    "-fno-addrsig",
    "-mno-outline",
    "-mno-relax",
    "-Xclang",
    "-fconvergent-functions",
];

/// A file with its divergence marked.
#[derive(Debug)]
pub struct Marked {
    /// The assembly. What has been inserted has a comment that says why.
    pub text: String,
    /// All branches, in the order of the sources.
    pub branches: Vec<Branch>,
    /// Functions that have been left as they are because somebody has marked them by hand.
    pub by_hand: Vec<String>,
    /// Barriers that only some lanes of a warp may reach.
    pub unreached: Vec<Unreached>,
}

/// Marks a file of assembly whose functions call one another by a convention; `name` is what to call it where it has no
/// `.loc` directives.
///
/// # Errors
/// What cannot be understood, and what cannot be right: barriers at which the lanes of a warp would arrive separately.
pub fn mark(name: &str, text: &str, convention: Convention) -> Result<Marked, Error> {
    let file = File::parse(name, text, convention)?;
    let analysis = Analysis::new(&file, convention)?;
    let waiting = barriers::waiting(&analysis);
    let mut marked = Marked { text: String::new(), branches: vec![], by_hand: vec![], unreached: vec![] };
    let mut lines = vec![];
    for part in &file.parts {
        let function = match part {
            Part::Line(line) => {
                lines.push(line.clone());
                continue;
            }
            Part::Function(function) => function,
        };
        let Some(analysed) = analysis.functions.get(&function.name) else {
            marked.by_hand.push(function.name.clone());
            lines.extend(function.lines.clone());
            continue;
        };
        marked.unreached.extend(barriers::unreached(&function.name, analysed, &waiting)?);
        let plan = Plan::new(analysed, convention);
        marked.branches.extend(explain::branches(&function.name, &analysis, analysed, &plan.regions));
        if analysed.uniformity.divergent.is_empty() && analysed.chosen.is_empty() {
            lines.extend(function.lines.clone());
        } else {
            lines.extend(Writer::new(&function.name, analysed, &plan, convention).write());
        }
    }
    marked.branches.sort();
    marked.text = lines.join("\n") + "\n";
    if marked.text.contains(BROADCAST) {
        let section = format!("\t.section .bss.{BROADCAST}, \"awG\", @nobits, {BROADCAST}, comdat");
        marked.text += &format!("{section}\n\t.balign 4\n\t.weak {BROADCAST}\n{BROADCAST}:\n\t.space 256\n");
    }
    marked.text += &prologue::variables(&marked.text).unwrap_or_default();
    Ok(marked)
}
