//! What every scheduler's model has in common: what it sees, made from the list in
//! [`scheduler_inputs`](spec::scheduler_inputs!) as the hardware's ports are, what it answers, and the words in which
//! policies are defined.

use crate::{members, PerWarp};
use spec::config::{WarpMask, MAX_WARPS};
use spec::scheduler_inputs;

/// Bit `w` for warp `w`.
pub type Mask = WarpMask;
/// Bit `c` for CTA slot `c`.
pub type CtaMask = WarpMask;
/// Whether something is so.
pub type Flag = bool;
/// A mask for each warp.
pub type Masks = PerWarp<Mask>;
/// A slot for each warp.
pub type Slots = PerWarp<u8>;
/// A count for each warp.
pub type Counts = PerWarp<u8>;

macro_rules! views {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $kind:ident $type:ident,)*
    })*) => {
        $($(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $type,)*
        }

        impl $name {
            /// The first input in which `other` differs: its name, its value here, its value there.
            pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
                $(if self.$field != other.$field {
                    let (here, there) = (format!("{:x?}", self.$field), format!("{:x?}", other.$field));
                    return Some((stringify!($field).to_owned(), here, there));
                })*
                None
            }
        })*
    };
}
scheduler_inputs!(views);

/// What a scheduler sees in one cycle.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// What its stage tells it alone.
    pub stage: &'a StageView,
    /// What all schedulers of the core see alike.
    pub core: &'a CoreView,
}

/// All inputs of a scheduler, to be set one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Those that its stage tells it alone.
    pub stage: StageView,
    /// Those that all schedulers of the core see alike.
    pub core: CoreView,
}

impl Inputs {
    /// What a scheduler sees with these inputs.
    pub fn view(&self) -> View<'_> {
        View { stage: &self.stage, core: &self.core }
    }
}

/// What is seen of a resident warp in a decision by the pattern in which instructions issue (docs/SCHEDULERS.md, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpPattern {
    /// The warp.
    pub wid: usize,
    /// How many resident warps are older.
    pub age: u32,
    /// Instructions that it has issued.
    pub inst: u64,
    /// Cycles in which it was blocked.
    pub stall: u64,
    /// Instructions and cycles at barriers, if it is a warp of interest.
    pub score: Option<u64>,
}

/// A decision by that pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssuePattern {
    /// The resident warps, the oldest first.
    pub warps: Vec<WarpPattern>,
    /// Whether the greedy policy stays.
    pub concave: bool,
}

impl IssuePattern {
    fn scores(&self) -> impl Iterator<Item = u64> + '_ {
        self.warps.iter().filter_map(|warp| warp.score)
    }

    /// How many warps are of interest.
    pub fn of_interest(&self) -> usize {
        self.scores().count()
    }

    /// The sum of their scores.
    pub fn score_sum(&self) -> f64 {
        self.scores().sum::<u64>() as f64
    }

    /// Half of the largest as often as there are warps of interest: a smaller sum is concave.
    pub fn threshold(&self) -> f64 {
        self.of_interest() as f64 * self.scores().max().unwrap_or(0) as f64 / 2.0
    }

    /// The degree of convexity: the sum in parts of the threshold.
    pub fn convexity(&self) -> f64 {
        self.score_sum() / self.threshold()
    }
}

/// A warp scheduler's reference model.
pub trait SchedulerModel: Send {
    /// The warp chosen in this cycle, if any. Must not depend on the events of the cycle.
    fn pick(&self, view: View) -> Option<usize>;

    /// The clock edge at the end of the cycle in which `granted` was chosen.
    fn clock(&mut self, view: View, granted: Option<usize>);

    /// What an adaptive policy does at present, in a word.
    fn phase(&self) -> Option<&'static str> {
        None
    }

    /// What it decided by, as long as the phase lasts that follows the decision.
    fn decided(&self) -> Option<&IssuePattern> {
        None
    }
}

/// The lowest warp of a mask. Without a branch: whether there is one is hard to predict.
pub(super) fn lowest(warps: Mask) -> Option<usize> {
    (warps != 0).then_some(warps.trailing_zeros() as usize)
}

/// The number of warps of a mask that are older than `wid`.
pub(super) fn age(wid: usize, warps: Mask, view: View) -> u32 {
    (view.core.older[wid] & warps).count_ones()
}

/// The oldest warp of a mask: none of it is older.
pub(super) fn oldest(warps: Mask, view: View) -> Option<usize> {
    members(warps).find(|&wid| view.core.older[wid] & warps == 0)
}

/// The first warp of a mask after `last`, in slot order, wrapping. Without a branch either.
#[inline]
pub(super) fn next_after(last: usize, warps: Mask) -> Option<usize> {
    let behind = warps & !(Mask::MAX >> (MAX_WARPS - 1 - last));
    lowest(if behind != 0 { behind } else { warps })
}
