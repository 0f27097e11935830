//! What every scheduler's model has in common: what it sees, what it answers, and the words in which policies are defined.

use crate::config::MAX_WARPS;

/// What a scheduler sees in one cycle: the ports of the hardware, bit `w` of a mask for warp `w`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The candidates.
    pub ready_warps: u32,
    /// Ready but for the unit, which may be busy.
    pub data_ready_warps: u32,
    /// Warps with an active lane.
    pub active_warps: u32,
    /// Warps that wait at a barrier.
    pub barrier_warps: u32,
    /// Warps whose next instruction is a load or store.
    pub memory_warps: u32,
    /// Warps whose instruction queue is empty.
    pub empty_warps: u32,
    /// Warps that wait for a line of the instruction cache.
    pub suspended_warps: u32,
    /// Whether the instruction cache takes a request in this cycle.
    pub icache_req_ready: bool,
    /// The warps that belong to this scheduler.
    pub own_warps: u32,
    /// Whether the grant was used in this cycle.
    pub fire: bool,
    /// Warps for which an instruction was fetched in this cycle.
    pub fetch_fire_warps: u32,
    /// Instructions of each warp that were fetched and have not issued; at issue 0.
    pub unissued: [u8; MAX_WARPS],
    /// Warps that issued in this cycle, through whichever scheduler.
    pub issue_fire_warps: u32,
    /// Warps of which a load or store completed.
    pub memory_done_warps: u32,
    /// Warps that arrived at a barrier.
    pub barrier_arrive_warps: u32,
    /// Warps that a barrier released.
    pub barrier_release_warps: u32,
    /// Warps that became active.
    pub start_warps: u32,
    /// Warps that ended.
    pub exit_warps: u32,
    /// Bit `j` of `older[i]`: warp `j` is older than warp `i`.
    pub older: [u32; MAX_WARPS],
    /// The CTA slot of each warp.
    pub cta: [u8; MAX_WARPS],
    /// CTA slots to which a CTA was dispatched in this cycle.
    pub cta_start: u32,
    /// Whether the last CTA of the grid has been dispatched.
    pub last_cta_dispatched: bool,
    /// Whether a kernel was launched in this cycle.
    pub kernel_start: bool,
}

/// A warp scheduler's reference model.
pub trait SchedulerModel: Send {
    /// The warp chosen in this cycle, if any. Must not depend on the events of the cycle.
    fn pick(&self, view: &View) -> Option<usize>;

    /// The clock edge at the end of the cycle in which `granted` was chosen.
    fn clock(&mut self, view: &View, granted: Option<usize>);
}

/// The lowest warp of a mask.
pub(super) fn lowest(warps: u32) -> Option<usize> {
    (warps != 0).then(|| warps.trailing_zeros() as usize)
}

/// The warps of a mask, in slot order.
pub(super) fn bits(warps: u32) -> impl Iterator<Item = usize> {
    (0..MAX_WARPS).filter(move |wid| warps >> wid & 1 != 0)
}

/// The number of warps of a mask that are older than `wid`.
pub(super) fn age(wid: usize, warps: u32, view: &View) -> u32 {
    (view.older[wid] & warps).count_ones()
}

/// The oldest warp of a mask.
pub(super) fn oldest(warps: u32, view: &View) -> Option<usize> {
    bits(warps).find(|wid| age(*wid, warps, view) == 0)
}
