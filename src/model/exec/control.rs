//! Warp control: which lanes and which warps are active.

use super::super::fault::{Cause, Trap};
use super::super::machine::Machine;
use super::super::warp::{Divergence, Lanes, Wait};
use spec::config::{bits_for, warps_below, WarpMask};

/// The lanes whose condition (bit 0) holds, or does not hold if `negate` is 1.
pub(super) fn condition(values: &Lanes, negate: u32) -> u32 {
    values.iter().enumerate().fold(0, |mask, (lane, value)| mask | ((value ^ negate) & 1) << lane)
}

/// TMC: sets the mask; the warp ends if it is empty.
pub(super) fn tmc(m: &mut Machine, wid: usize, mask: u32) {
    m.warps[wid].tmask = mask & m.all_lanes();
}

/// PRED: keeps the lanes that meet the condition, or takes the mask of the register if none does.
pub(super) fn pred(m: &mut Machine, wid: usize, condition: u32, otherwise: u32) {
    let kept = m.warps[wid].tmask & condition;
    tmc(m, wid, if kept != 0 { kept } else { otherwise });
}

/// SPLIT: returns the depth of the divergence stack before it.
///
/// The larger side goes on first, the lanes that meet the condition if the sides are equal: the
/// program finds out which side runs by testing the condition again.
pub(super) fn split(m: &mut Machine, wid: usize, condition: u32, after: u32) -> Result<u32, Trap> {
    let limit = m.divergence_depth;
    let warp = &mut m.warps[wid];
    let depth = warp.divergence.len();
    let (met, unmet) = (warp.tmask & condition, warp.tmask & !condition);
    if met != 0 && unmet != 0 {
        if depth == limit {
            return Err(Trap::new(Cause::DivergenceOverflow, 0));
        }
        let met_first = met.count_ones() >= unmet.count_ones();
        let (first, other) = if met_first { (met, unmet) } else { (unmet, met) };
        warp.divergence.push(Divergence { restore: warp.tmask, other, pc: after, other_started: false });
        warp.tmask = first;
    }
    Ok(depth as u32)
}

/// JOIN: ends one side of a split. Returns where the other side starts if it has yet to run.
pub(super) fn join(m: &mut Machine, wid: usize, token: u32) -> Result<Option<u32>, Trap> {
    let warp = &mut m.warps[wid];
    if token == warp.divergence.len() as u32 {
        return Ok(None); // the split was uniform
    }
    let entry = warp.divergence.last_mut().ok_or(Trap::new(Cause::JoinOnEmpty, 0))?;
    if entry.other_started {
        warp.tmask = entry.restore;
        warp.divergence.pop();
        Ok(None)
    } else {
        entry.other_started = true;
        warp.tmask = entry.other;
        Ok(Some(entry.pc))
    }
}

/// BAR: waits until `count` warps, this one included, have arrived at barrier `id`.
pub(super) fn barrier(m: &mut Machine, wid: usize, id: u32, count: u32) -> Result<(), Trap> {
    if m.grid.is_some() {
        return block_barrier(m, wid, id, count);
    }
    if count == 1 {
        return Ok(());
    }
    // The count is kept less one, in the width of a warp id, so 0 stands for that width's full range.
    let needed = if count == 0 { 1 << bits_for(m.warps.len()) } else { count };
    if needed > m.warps.len() as u32 {
        return Err(Trap::new(Cause::BarrierCount, count));
    }
    let id = id as usize % m.barriers.len();
    let arrived = m.barriers[id];
    if arrived.count_ones() + 1 == needed {
        release(m, id, arrived);
    } else {
        m.barriers[id] = arrived | 1 << wid;
        m.warps[wid].wait = Wait::Barrier { id, count: needed };
    }
    Ok(())
}

/// The warps of a mask go on from a barrier.
fn release(m: &mut Machine, id: usize, warps: WarpMask) {
    m.barriers[id] &= !warps;
    for (_, warp) in m.warps.iter_mut().enumerate().filter(|(wid, _)| warps >> wid & 1 != 0) {
        warp.wait = Wait::None;
    }
}

/// BAR in a grid: the barrier is of the warp's block. With a count of 0, or of all the block's warps, it opens when every
/// warp of the block that has not ended is there, with another when so many have arrived.
fn block_barrier(m: &mut Machine, wid: usize, id: u32, count: u32) -> Result<(), Trap> {
    let Some(grid) = &m.grid else { return Ok(()) };
    let (size, peers) = (grid.warps.placement().size as u32, grid.warps.peers(wid));
    if !m.warps[wid].divergence.is_empty() {
        return Err(Trap::new(Cause::DivergentBarrier, 0));
    }
    if count > size {
        return Err(Trap::new(Cause::BarrierCount, count));
    }
    if count == 1 {
        return Ok(());
    }
    let id = id as usize % m.barriers.len();
    let arrived = m.barriers[id] & peers;
    let needed = if count == 0 { size } else { count };
    m.barriers[id] |= 1 << wid;
    m.warps[wid].wait = Wait::Barrier { id, count: needed };
    if needed == size {
        settle_barrier(m, wid);
    } else if arrived.count_ones() + 1 == needed {
        release(m, id, arrived | 1 << wid);
    }
    Ok(())
}

/// Opens the barrier at which all warps of a block wait that have not ended, if they wait for the whole block, and all have
/// started.
pub(in super::super) fn settle_barrier(m: &mut Machine, wid: usize) {
    let Some(grid) = m.grid.as_ref().filter(|grid| !grid.warps.is_partial(wid)) else { return };
    let (count, peers) = (grid.warps.placement().size as u32, grid.warps.peers(wid));
    let mut active = (0..m.warps.len()).filter(|&wid| peers >> wid & 1 != 0 && m.warps[wid].active());
    let Some(Wait::Barrier { id, .. }) = active.clone().next().map(|first| m.warps[first].wait) else {
        return;
    };
    if active.all(|wid| m.warps[wid].wait == Wait::Barrier { id, count }) {
        release(m, id, m.barriers[id] & peers);
    }
}

/// WSPAWN: starts the warps below `count` other than this one, once no other warp is active.
pub(super) fn wspawn(m: &mut Machine, wid: usize, count: u32, pc: u32) {
    // One bit more than a warp id has, so that the number of warps itself can be given.
    let bits = m.warps.len().next_power_of_two().trailing_zeros() + 1;
    let count = (count & ((1 << bits) - 1)).min(m.warps.len() as u32);
    let below = warps_below(count as usize);
    m.warps[wid].wait = Wait::Spawn { warps: below & !(1 << wid), pc };
}

/// Performs a waiting WSPAWN if its caller has become the only active warp.
pub(in super::super) fn settle_spawn(m: &mut Machine) {
    let mut active = m.warps.iter().enumerate().filter(|(_, warp)| warp.active());
    let (Some((caller, warp)), None) = (active.next(), active.next()) else { return };
    let Wait::Spawn { warps, pc } = warp.wait else { return };
    m.warps[caller].wait = Wait::None;
    for wid in (0..m.warps.len()).filter(|wid| warps >> wid & 1 != 0) {
        m.start(wid, pc);
    }
}
