//! The frame of a marked function: what the function does first and last to have one, and how it finds it.
//!
//! Where `tp` is that of thread-local variables, one of these has the bytes of the thread's frames, which begin at the low
//! end of its stack. A saved register that the function does not use otherwise points behind its frame. If there is none,
//! another thread-local variable does, and what is needed to read that is saved below the stack pointer for the moment:
//! nothing interrupts a thread.

use super::convention::Frames;
use super::homes::Homes;
use super::places::{name, Register};

/// Thread-local variables: the bytes of the thread's frames, and the end of the last one that has no register. Before them
/// is a word that nobody uses: Vortex 2.2 forgets to clear up to three bytes of the first of all variables, where its linker's
/// script puts them behind constants of an odd length.
const VARIABLES: &str = "__simt_frames";
const DEPTH: &str = "__simt_frames + 4";
const END: &str = "__simt_frames + 8";

/// Registers that no convention passes anything in, and no function returns.
const FIRST: &str = "t0";
const SECOND: &str = "t1";
/// Where a register is saved for the moment.
const BELOW: &str = "-16(sp)";

/// What stands for the end of the frame until [`Prologue::found`].
const SOMEWHERE: &str = "(frame)";

/// A word of a frame whose end may be in a register.
pub fn word(pointer: Option<Register>, at: usize) -> String {
    let base = pointer.map_or(SOMEWHERE.into(), |pointer| format!("({})", name(pointer)));
    format!("-{}{base}", 4 * (at + 1))
}

/// A function's frame.
pub struct Prologue<'a> {
    frames: Frames,
    homes: &'a Homes,
    words: usize,
}

impl<'a> Prologue<'a> {
    /// Of a function that needs so many words in all; nothing if it needs none.
    pub fn new(frames: Frames, homes: &'a Homes, words: usize) -> Option<Self> {
        (words > 0).then_some(Self { frames, homes, words })
    }

    /// Before all else.
    pub fn begin(&self) -> Vec<String> {
        let mut lines = match self.frames {
            Frames::OnThreadPointer => {
                vec![format!("\taddi tp, tp, {}\t# the frame of what divergence needs", self.bytes())]
            }
            Frames::ThreadLocal => self.opened(),
        };
        lines.extend(self.saves("sw"));
        lines
    }

    /// Before the return.
    pub fn end(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.saves("lw").collect();
        match self.frames {
            Frames::OnThreadPointer => lines.push(format!("\taddi tp, tp, -{}", self.bytes())),
            Frames::ThreadLocal => lines.extend(self.closed()),
        }
        lines
    }

    /// The lines of the function, of which each that has a word of the frame finds it.
    pub fn found(&self, lines: Vec<String>) -> Vec<String> {
        lines.into_iter().flat_map(reaching).collect()
    }

    /// That of thread h begins at 0xFFFF0000 - 8192 (h + 1) (docs/ISA.md, section 6).
    fn opened(&self) -> Vec<String> {
        let mut lines = self.counted(self.bytes());
        lines.extend([
            format!("\tcsrr {FIRST}, mhartid"),
            format!("\tslli {FIRST}, {FIRST}, 13"),
            format!("\tsub {SECOND}, {SECOND}, {FIRST}"),
            format!("\tlui {FIRST}, 0xfffee"),
            format!("\tadd {FIRST}, {FIRST}, {SECOND}\t# the frame of what divergence needs"),
        ]);
        let last = -self.bytes();
        match self.homes.frame.map(name) {
            Some(pointer) => {
                lines.extend([format!("\tsw {pointer}, {last}({FIRST})"), format!("\tmv {pointer}, {FIRST}")])
            }
            None => {
                lines.push(format!("\tsw {FIRST}, {BELOW}"));
                lines.extend(variable("lw", SECOND, FIRST, END));
                lines.extend([format!("\tlw {SECOND}, {BELOW}"), format!("\tsw {FIRST}, {last}({SECOND})")]);
                lines.extend(variable("sw", FIRST, SECOND, END));
            }
        }
        lines
    }

    fn closed(&self) -> Vec<String> {
        let mut lines = self.counted(-self.bytes());
        let last = -self.bytes();
        match self.homes.frame.map(name) {
            Some(pointer) => lines.push(format!("\tlw {pointer}, {last}({pointer})")),
            None => {
                lines.extend(variable("lw", FIRST, SECOND, END));
                lines.extend([format!("\tlw {SECOND}, {last}({SECOND})")]);
                lines.push(format!("\tsw {SECOND}, %tprel_lo({END})({FIRST})"));
            }
        }
        lines
    }

    /// The bytes of the thread's frames change; they are in [`SECOND`] then.
    fn counted(&self, by: i32) -> Vec<String> {
        let mut lines = variable("lw", FIRST, SECOND, DEPTH).to_vec();
        lines.push(format!("\taddi {SECOND}, {SECOND}, {by}"));
        lines.push(format!("\tsw {SECOND}, %tprel_lo({DEPTH})({FIRST})"));
        lines
    }

    fn saves<'b>(&'b self, op: &'b str) -> impl Iterator<Item = String> + 'b {
        let saved = self.homes.saved.iter();
        saved.map(move |&(register, at)| format!("\t{op} {}, {}", name(register), word(self.homes.frame, at)))
    }

    /// The bytes of the frame; the last word is the caller's pointer, where that is not in `tp`.
    fn bytes(&self) -> i32 {
        let own = usize::from(self.frames == Frames::ThreadLocal);
        4 * (self.words + own) as i32
    }
}

/// Loads or stores a thread-local variable, whose address is computed in another register.
fn variable(op: &str, address: &str, register: &str, variable: &str) -> [String; 3] {
    [
        format!("\tlui {address}, %tprel_hi({variable})"),
        format!("\tadd {address}, {address}, tp, %tprel_add({variable})"),
        format!("\t{op} {register}, %tprel_lo({variable})({address})"),
    ]
}

/// A line, or several if it has a word of a frame that no register points to.
fn reaching(line: String) -> Vec<String> {
    let Some((access, comment)) = line.split_once(SOMEWHERE) else { return vec![line] };
    let Some(((op, register), offset)) =
        access.rsplit_once(", ").and_then(|(left, offset)| Some((left.trim().split_once(' ')?, offset)))
    else {
        return vec![line];
    };
    if op == "lw" {
        let mut lines = variable("lw", register, register, END).to_vec();
        lines.push(format!("\tlw {register}, {offset}({register}){comment}"));
        return lines;
    }
    let other = if register == FIRST { SECOND } else { FIRST };
    let mut lines = vec![format!("\tsw {other}, {BELOW}")];
    lines.extend(variable("lw", other, other, END));
    lines.push(format!("\tsw {register}, {offset}({other}){comment}"));
    lines.push(format!("\tlw {other}, {BELOW}"));
    lines
}

/// The variables, where a text uses them.
pub fn variables(text: &str) -> Option<String> {
    let section = format!("\t.section .tbss.{VARIABLES}, \"awGT\", @nobits, {VARIABLES}, comdat");
    let symbol =
        format!("\t.balign 4\n\t.weak {VARIABLES}\n\t.type {VARIABLES}, @object\n\t.size {VARIABLES}, 12");
    text.contains(VARIABLES).then(|| format!("{section}\n{symbol}\n{VARIABLES}:\n\t.space 12\n"))
}

#[cfg(test)]
mod tests {
    use super::reaching;

    #[test]
    fn a_word_is_found_without_a_register() {
        let loaded = reaching("\tlw t3, -8(frame)".into());
        assert_eq!(loaded.first().unwrap(), "\tlui t3, %tprel_hi(__simt_frames + 8)");
        assert_eq!(loaded.last().unwrap(), "\tlw t3, -8(t3)");
        let stored = reaching("\tsw t0, -4(frame)".into());
        assert_eq!(stored[0], "\tsw t1, -16(sp)");
        assert_eq!(stored[4..], ["\tsw t0, -4(t1)", "\tlw t1, -16(sp)"]);
        assert_eq!(reaching("\tlw t3, -8(s11)".into()), ["\tlw t3, -8(s11)"]);
    }
}
