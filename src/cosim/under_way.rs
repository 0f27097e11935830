//! Warps with instructions between issue and completion, as MOTRR's figure 2 counts them.

/// Follows the registers that will be written. What writes none is complete when it has issued.
pub(super) struct UnderWay {
    /// For each warp a bit for every register that an instruction under way will write.
    writing: Vec<u64>,
    /// Warps that have any.
    warps: u64,
    /// The sum of `warps` over all cycles.
    cycles: u64,
}

impl UnderWay {
    /// Of a core with so many warps.
    pub(super) fn new(warps: usize) -> Self {
        Self { writing: vec![0; warps], warps: 0, cycles: 0 }
    }

    /// Counts a cycle, before what happens in it: what issues is under way from the next one on.
    #[inline]
    pub(super) fn cycle(&mut self) {
        self.cycles += self.warps;
    }

    /// An instruction of a warp issues that will write this register, or none if it is x0.
    #[inline]
    pub(super) fn issued(&mut self, wid: usize, register: usize) {
        if register != 0 {
            self.change(wid, |registers| registers | 1 << register);
        }
    }

    /// The last lanes of a warp's register are written.
    #[inline]
    pub(super) fn written(&mut self, wid: usize, register: u8) {
        self.change(wid, |registers| registers & !(1 << (register & 63)));
    }

    #[inline]
    fn change(&mut self, wid: usize, new: impl Fn(u64) -> u64) {
        let Some(registers) = self.writing.get_mut(wid) else { return };
        let before = std::mem::replace(registers, new(*registers));
        self.warps = self.warps - u64::from(before != 0) + u64::from(*registers != 0);
    }

    /// Of each warp, the cycles in which it had an instruction under way, of all together.
    pub(super) fn cycles(&self) -> u64 {
        self.cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_is_under_way_from_its_issue_until_its_last_result() {
        let mut under_way = UnderWay::new(2);
        let mut cycle = |issued: Option<(usize, usize)>, written: Option<(usize, u8)>| {
            under_way.cycle();
            written.into_iter().for_each(|(wid, register)| under_way.written(wid, register));
            issued.into_iter().for_each(|(wid, register)| under_way.issued(wid, register));
            under_way.cycles()
        };
        assert_eq!(cycle(Some((0, 1)), None), 0);
        assert_eq!(cycle(Some((0, 3)), None), 1, "one warp, whatever it has under way");
        assert_eq!(cycle(Some((1, 0)), Some((0, 3))), 2);
        assert_eq!(cycle(Some((1, 3)), None), 3, "what writes no register is complete");
        assert_eq!(cycle(None, Some((1, 3))), 5);
        assert_eq!(cycle(None, Some((0, 1))), 6);
        assert_eq!(cycle(None, None), 6);
    }
}
