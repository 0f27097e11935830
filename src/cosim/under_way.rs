//! Instructions between issue and completion: loads, and the warps that have any, as MOTRR's figure 2 counts them.

/// Follows the registers that will be written. What writes none is complete when it has issued.
pub(super) struct UnderWay {
    of_warps: Vec<Registers>,
    /// Warps with an instruction under way.
    warps: u64,
    /// The sum of `warps` over all cycles.
    cycles: u64,
    /// Lanes of all loads under way.
    loading_lanes: u64,
}

/// A bit for every register of a warp.
#[derive(Clone, Copy, Default)]
struct Registers {
    /// An instruction under way will write it.
    writing: u64,
    /// It is a load.
    loading: u64,
}

impl UnderWay {
    /// Of a core with so many warps.
    pub(super) fn new(warps: usize) -> Self {
        Self { of_warps: vec![Registers::default(); warps], warps: 0, cycles: 0, loading_lanes: 0 }
    }

    /// Counts a cycle, before what happens in it: what issues is under way from the next one on.
    #[inline]
    pub(super) fn cycle(&mut self) {
        self.cycles += self.warps;
    }

    /// An instruction of a warp issues that will write this register, if any; a load with so many lanes.
    #[inline]
    pub(super) fn issued(&mut self, wid: usize, register: Option<u8>, loading_lanes: Option<u64>) {
        let Some((registers, register)) = self.of_warps.get_mut(wid).zip(register) else { return };
        self.warps += u64::from(registers.writing == 0);
        registers.writing |= 1 << register;
        if let Some(lanes) = loading_lanes {
            registers.loading |= 1 << register;
            self.loading_lanes += lanes;
        }
    }

    /// So many lanes of a warp's register are written, and no others after the last ones.
    #[inline]
    pub(super) fn written(&mut self, wid: usize, register: u8, lanes: u32, last: bool) {
        let Some(registers) = self.of_warps.get_mut(wid) else { return };
        let register = 1 << (register & 63);
        if registers.loading & register != 0 {
            self.loading_lanes = self.loading_lanes.saturating_sub(lanes.into());
        }
        if last {
            self.warps -= u64::from(registers.writing == register);
            registers.writing &= !register;
            registers.loading &= !register;
        }
    }

    /// Whether a warp has a load under way.
    #[inline]
    pub(super) fn loads(&self, wid: usize) -> bool {
        self.of_warps[wid].loading != 0
    }

    /// Lanes of all loads under way.
    #[inline]
    pub(super) fn loading_lanes(&self) -> u64 {
        self.loading_lanes
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
        let mut cycle = |issued: Option<(usize, u8)>, written: Option<(usize, u8)>| {
            under_way.cycle();
            written.into_iter().for_each(|(wid, register)| under_way.written(wid, register, 1, true));
            issued
                .into_iter()
                .for_each(|(wid, register)| under_way.issued(wid, Some(register).filter(|&x| x != 0), None));
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

    #[test]
    fn a_load_is_under_way_until_its_last_lanes() {
        let mut under_way = UnderWay::new(2);
        under_way.issued(1, Some(5), Some(4));
        under_way.issued(1, Some(6), None);
        assert_eq!((under_way.loads(0), under_way.loads(1), under_way.loading_lanes()), (false, true, 4));
        under_way.written(1, 6, 4, true);
        under_way.written(1, 5, 3, false);
        assert_eq!((under_way.loads(1), under_way.loading_lanes()), (true, 1));
        under_way.written(1, 5, 1, true);
        assert_eq!((under_way.loads(1), under_way.loading_lanes()), (false, 0));
    }
}
