//! The frame of a marked function: what it does first and last to have one.

use super::convention::Frames;
use super::homes::Homes;
use super::places::{name, Register};

/// The thread-local variable with the bytes of a thread's frames, in its second word: Vortex 2.2 forgets to clear up to three
/// bytes of the first one of all variables, where its linker's script puts them behind constants of an odd length.
pub const DEPTH: &str = "__simt_frames";

/// Registers that no convention passes anything in, and no function returns.
const FIRST: &str = "t0";
const SECOND: &str = "t1";

/// A function's frame.
pub struct Prologue<'a> {
    frames: Frames,
    homes: &'a Homes,
    /// What points behind the frame.
    pointer: Register,
    words: usize,
}

impl<'a> Prologue<'a> {
    /// Of a function that needs so many words in all; nothing if it needs none, or no register is left to point there.
    pub fn new(frames: Frames, homes: &'a Homes, words: usize) -> Option<Self> {
        let pointer = homes.frame.filter(|_| words > 0)?;
        Some(Self { frames, homes, pointer, words })
    }

    /// Before all else.
    pub fn begin(&self) -> Vec<String> {
        let mut lines = match self.frames {
            Frames::OnThreadPointer => {
                vec![format!("\taddi tp, tp, {}\t# the frame of what divergence needs", self.bytes())]
            }
            Frames::ThreadLocal => self.found(),
        };
        lines.extend(self.saves("sw"));
        lines
    }

    /// Before the return.
    pub fn end(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.saves("lw").collect();
        match self.frames {
            Frames::OnThreadPointer => lines.push(format!("\taddi tp, tp, -{}", self.bytes())),
            Frames::ThreadLocal => {
                lines.extend(self.counted(-self.bytes()));
                lines.push(format!("\tlw {0}, {1}", name(self.pointer), self.own()));
            }
        }
        lines
    }

    /// The frame lies behind those of the callers, from the low end of the thread's stack on: that of thread h is
    /// 0xFFFF0000 - 8192 (h + 1) (docs/ISA.md, section 6).
    fn found(&self) -> Vec<String> {
        let pointer = name(self.pointer);
        let mut lines = self.counted(self.bytes()).to_vec();
        lines.extend([
            format!("\tcsrr {FIRST}, mhartid"),
            format!("\tslli {FIRST}, {FIRST}, 13"),
            format!("\tsub {SECOND}, {SECOND}, {FIRST}"),
            format!("\tlui {FIRST}, 0xfffee"),
            format!("\tadd {FIRST}, {FIRST}, {SECOND}\t# the frame of what divergence needs"),
            format!("\tsw {pointer}, {}({FIRST})", self.below()),
            format!("\tmv {pointer}, {FIRST}"),
        ]);
        lines
    }

    /// The bytes of the thread's frames change; they are in [`SECOND`] then.
    fn counted(&self, by: i32) -> [String; 5] {
        [
            format!("\tlui {FIRST}, %tprel_hi({DEPTH} + 4)"),
            format!("\tadd {FIRST}, {FIRST}, tp, %tprel_add({DEPTH} + 4)"),
            format!("\tlw {SECOND}, %tprel_lo({DEPTH} + 4)({FIRST})"),
            format!("\taddi {SECOND}, {SECOND}, {by}"),
            format!("\tsw {SECOND}, %tprel_lo({DEPTH} + 4)({FIRST})"),
        ]
    }

    fn saves<'b>(&'b self, op: &'b str) -> impl Iterator<Item = String> + 'b {
        let pointer = name(self.pointer);
        self.homes
            .saved
            .iter()
            .map(move |&(register, at)| format!("\t{op} {}, -{}({pointer})", name(register), 4 * (at + 1)))
    }

    /// The bytes of the frame; the last word is the caller's pointer, where that is a register as any.
    fn bytes(&self) -> i32 {
        let own = usize::from(self.frames == Frames::ThreadLocal);
        4 * (self.words + own) as i32
    }

    fn below(&self) -> i32 {
        -self.bytes()
    }

    fn own(&self) -> String {
        format!("{}({})", self.below(), name(self.pointer))
    }
}

/// The variable, where a text uses it.
pub fn variable(text: &str) -> Option<String> {
    let section = format!("\t.section .tbss.{DEPTH}, \"awGT\", @nobits, {DEPTH}, comdat");
    let symbol =
        format!("\t.balign 4\n\t.weak {DEPTH}\n\t.type {DEPTH}, @object\n\t.size {DEPTH}, 8\n{DEPTH}:");
    text.contains(DEPTH).then(|| format!("{section}\n{symbol}\n\t.space 8\n"))
}
