//! Several masters whose requests become one stream.

/// Of several that ask the first goes first; who is passed over, or shown and not accepted, goes before all before it. Masks
/// have a bit a master.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Arbiter {
    /// Who goes before those before it.
    turns: u32,
}

impl Arbiter {
    /// Whether it goes before those before it.
    fn chosen(&self, asking: u32, master: usize) -> bool {
        asking & ((1 << master) - 1) == 0 || self.turns >> master & 1 != 0
    }

    /// Whose request is shown.
    #[inline]
    pub fn shown(&self, asking: u32) -> Option<usize> {
        if asking & asking.wrapping_sub(1) == 0 {
            return (asking != 0).then_some(asking.trailing_zeros() as usize);
        }
        self.first_of_several(asking)
    }

    #[inline(never)]
    fn first_of_several(&self, asking: u32) -> Option<usize> {
        let last = (u32::BITS - asking.leading_zeros()) as usize;
        (0..last).rev().find(|&master| asking >> master & 1 != 0 && self.chosen(asking, master))
    }

    /// The edge: what is shown is accepted if there is one who is `ready`.
    pub fn clock(&mut self, asking: u32, ready: bool) {
        let waits = |&master: &usize| {
            let offered = ready && self.turns >> master >> 1 == 0;
            self.chosen(asking, master) != offered
        };
        let behind = super::members(asking & !1).filter(waits);
        self.turns = behind.fold(0, |turns, master| turns | 1 << master);
    }
}
