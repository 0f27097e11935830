//! What not every core has, and which instructions need it.

use super::table::Op;
use spec::config::CoreConfig;

/// What a core has beyond the instructions that all cores have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Floating point: F.
    pub fpu: bool,
    /// Atomic operations: Zaamo, and AMOCAS.W of Zacas.
    pub atomics: bool,
    /// Votes and shuffles.
    pub cross_lane: bool,
}

impl From<&CoreConfig> for Extensions {
    fn from(cfg: &CoreConfig) -> Self {
        let &CoreConfig { fpu, atomics, cross_lane, .. } = cfg;
        Self { fpu, atomics, cross_lane }
    }
}

impl Op {
    /// Whether a core with these extensions has the instruction.
    #[inline]
    pub const fn is_in(self, extensions: Extensions) -> bool {
        (extensions.fpu || !self.needs_fpu())
            && (extensions.atomics || !self.is_atomic())
            && (extensions.cross_lane || !self.is_cross_lane())
    }
}
