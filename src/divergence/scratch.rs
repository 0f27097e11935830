//! Registers for what is inserted: tokens and masks in their homes, and registers that are needed for a moment.

use super::homes::{Home, SCRATCH};
use super::insert::Writer;
use super::places::{name, Places, Register};
use super::prologue::word;

impl Writer<'_> {
    /// The name of a register with a region's value.
    pub(super) fn loaded(&mut self, region: usize, blocks: &[usize], avoid: Places) -> String {
        match self.plan.homes.of(region) {
            Home::Register(register) => name(register).into(),
            Home::Word(at) => {
                let register = name(self.scratch(blocks, avoid));
                self.put(format_args!("lw {register}, {}", self.word(at)));
                register.into()
            }
        }
    }

    /// A word of the frame.
    pub(super) fn word(&self, at: usize) -> String {
        word(self.plan.homes.frame, at)
    }

    pub(super) fn store(&mut self, home: Home, from: Register) {
        if let Home::Word(at) = home {
            self.put(format_args!("sw {}, {}", name(from), self.word(at)));
        }
    }

    /// A register that nobody needs at the head of these blocks, or one that is spilled until [`Writer::settle`].
    pub(super) fn scratch(&mut self, blocks: &[usize], avoid: Places) -> Register {
        let avoid = avoid | self.spills.iter().map(|&(register, _)| register).collect();
        if let Some(&free) =
            self.plan.homes.free(&self.plan.regions, &self.plan.liveness, blocks, avoid).first()
        {
            return free;
        }
        let spilled = self.plan.homes.spillable(avoid).next().unwrap_or(SCRATCH[0]);
        self.spills.push((spilled, self.plan.homes.words + self.spills.len()));
        self.spilled = self.spilled.max(self.spills.len());
        spilled
    }

    /// Puts what is spilled now into the frame before the line `start`, and loads it again.
    pub(super) fn settle(&mut self, start: usize) {
        let spills = std::mem::take(&mut self.spills);
        let line = |op: &str, (register, at): (Register, usize)| {
            format!("\t{op} {}, {}", name(register), self.word(at))
        };
        let saved: Vec<String> = spills.iter().map(|&spill| line("sw", spill)).collect();
        let loaded: Vec<String> = spills.iter().map(|&spill| line("lw", spill)).collect();
        self.lines.splice(start..start, saved);
        self.lines.extend(loaded);
    }
}

#[cfg(test)]
mod tests {
    use isa::reg;

    use crate::{mark, Convention};

    /// What is made of code in the middle of which every register has a value that is needed later.
    fn crowded(middle: &str, convention: Convention) -> Vec<String> {
        let all =
            || (0..reg::COUNT).map(reg::name).filter(|name| !["zero", "ra", "sp", "gp", "tp"].contains(name));
        let load: String = all().map(|name| format!("lw {name}, %lo(x)(gp)\n")).collect();
        let store: String = all().map(|name| format!("sw {name}, 0(sp)\n")).collect();
        let text = format!(
            ".globl f\n.type f, @function\nf:\n{load}lw a0, 0(sp)\n{middle}{store}ret\n.size f, .-f\n"
        );
        let marked = mark("f.s", &text, convention).unwrap();
        marked.text.lines().map(|line| line.split('#').next().unwrap_or_default().trim().to_owned()).collect()
    }

    /// The lines from one that begins so on.
    fn from<'a>(lines: &'a [String], begin: &str) -> &'a [String] {
        let at = lines
            .iter()
            .position(|line| line.starts_with(begin))
            .unwrap_or_else(|| panic!("{begin}: {lines:#?}"));
        &lines[at..]
    }

    #[test]
    fn where_no_register_is_free_one_is_spilled_around_the_split() {
        let lines = crowded("bge a0, a1, 1f\nsw a0, 4(sp)\n1:\n", Convention::default());
        let at = from(&lines, "sw t0, -8(tp)");
        let expected = [
            "sw t0, -8(tp)",
            "slt t0, a0, a1",
            ".insn r 0x0b, 2, 0, t0, t0, x0",
            "sw t0, -4(tp)",
            "lw t0, -8(tp)",
        ];
        assert_eq!(at[..5], expected, "the token has a word of the frame");
        assert!(at[5].starts_with("bge a0, a1, "), "both sides come to the branch: {at:#?}");
        let frame = |line: &str| lines.iter().any(|found| found == line);
        assert!(frame("addi tp, tp, 8") && frame("addi tp, tp, -8"), "{lines:#?}");
    }

    /// The two sides of a JOIN in a loop come by different ways, each with a value of its own in the token's register.
    #[test]
    fn a_join_in_a_loop_loads_its_token_again() {
        let lines = crowded(
            "1: addi a0, a0, -1\nbeqz a1, 2f\nbnez a0, 1b\nsw a0, 4(sp)\n2:\n",
            Convention::default(),
        );
        let join = from(&lines, ".Ldivergence_f_join_1:");
        assert!(join[1].starts_with(".insn r 0x0b, 3, 0, x0, "), "{join:#?}");
        assert!(join[2].starts_with("lw ") && join[2].ends_with("(tp)"), "{join:#?}");
    }

    /// Where `tp` is that of thread-local variables, a frame is found by one of them if no register is left for it.
    #[test]
    fn a_frame_does_without_tp_and_without_a_register() {
        let convention = Convention::default().with_thread_local_variables();
        let lines = crowded("bge a0, a1, 1f\nsw a0, 4(sp)\n1:\n", convention);
        assert_eq!(
            lines.iter().filter(|line| line.contains("%tprel_lo(__simt_frames + 4)")).count(),
            4,
            "{lines:#?}"
        );
        assert!(!lines.iter().any(|line| line.contains("(frame)") || line.contains("(tp)")), "{lines:#?}");
        let at = from(&lines, "slt t0, a0, a1");
        assert_eq!(
            at[2..4],
            ["sw t1, -16(sp)", "lui t1, %tprel_hi(__simt_frames + 8)"],
            "the token is stored: {at:#?}"
        );
        assert!(lines.iter().any(|line| line == ".space 12"), "{lines:#?}");
    }
}
