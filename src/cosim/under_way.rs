//! Warps with instructions between issue and completion, as MOTRR's figure 2 counts them.

use model::timing::{Issued, Record, Written};

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

    /// Counts a cycle of a core with so many slices; what issues in it is under way from the next one on.
    #[inline]
    pub(super) fn cycle(&mut self, record: &Record, slices: usize) {
        if record.busy {
            self.cycles += self.warps;
        }
        for of_slice in &record.slices[..slices] {
            if let Some(Written { wid, rd, last: true, .. }) = of_slice.written {
                self.change(wid, |registers| registers & !(1 << (rd & 63)));
            }
            if let Some(Issued { wid, raw, .. }) = of_slice.issued {
                let register = isa::decode(raw).and_then(|op| op.format().rd(raw)).filter(|&rd| rd != 0);
                if let Some(rd) = register {
                    self.change(wid, |registers| registers | 1 << rd);
                }
            }
        }
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
    use model::timing::SliceRecord;

    #[test]
    fn a_warp_is_under_way_from_its_issue_until_its_last_result() {
        let mut under_way = UnderWay::new(2);
        let mut cycle = |issued: Option<(usize, u32)>, written: Option<(usize, u8, bool)>| {
            let mut record = Record { busy: true, ..Record::default() };
            record.slices[0] = SliceRecord {
                issued: issued.map(|(wid, raw)| Issued { wid, raw, pc: 0, tmask: 1 }),
                written: written.map(|(wid, rd, last)| Written { wid, rd, lanes: 1, last }),
                ..SliceRecord::default()
            };
            under_way.cycle(&record, 1);
            under_way.cycles()
        };
        let [load, add, store] = [0x0005_2083, 0x0020_81b3, 0x00b5_2023]; // lw x1, (x10); add x3, x1, x2; sw x11, (x10)
        assert_eq!(cycle(Some((0, load)), None), 0);
        assert_eq!(cycle(Some((0, add)), None), 1, "one warp, whatever it has under way");
        assert_eq!(cycle(Some((1, store)), Some((0, 3, true))), 2);
        assert_eq!(cycle(Some((1, add)), Some((0, 1, false))), 3, "a store writes no register");
        assert_eq!(cycle(None, Some((1, 3, true))), 5);
        assert_eq!(cycle(None, Some((0, 1, true))), 6);
        assert_eq!(cycle(None, None), 6);
    }
}
