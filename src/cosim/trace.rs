//! What the trace port shows of a cycle.

use model::timing::Begun;
use model::Lanes;
use spec::config::CoreConfig;

use super::elements::Elements;
use super::ports::TracePorts;
use super::verilator::Model;

/// A result or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Committed {
    pub(super) cycle: u64,
    pub(super) wid: usize,
    pub(super) rd: u8,
    pub(super) tmask: u32,
    pub(super) last: bool,
    pub(super) flags: u32,
    pub(super) data: Lanes,
}

impl Committed {
    /// What is written to the register file of a slice.
    #[inline]
    pub(super) fn read(model: &Model, trace: &TracePorts, cycle: u64, slice: usize, threads: usize) -> Self {
        Self {
            cycle,
            wid: trace.commit_wid.get(model, slice) as usize,
            rd: trace.commit_rd.get(model, slice) as u8,
            tmask: trace.commit_tmask.get(model, slice),
            last: model.read(trace.commit_last) >> slice & 1 != 0,
            flags: trace.commit_flags.map_or(0, |flags| flags.get(model, slice)),
            data: lanes(model, trace.commit_data, slice * threads, threads),
        }
    }
}

/// A load or store that the load-store unit begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessed {
    pub(super) cycle: u64,
    pub(super) wid: usize,
    pub(super) pc: u32,
    pub(super) store: bool,
    pub(super) tmask: u32,
    pub(super) funct3: u8,
    pub(super) addresses: Lanes,
    pub(super) data: Lanes,
}

impl Accessed {
    /// The rest of what the load-store unit begins in a cycle under a number. The data is that of a store; on a core with
    /// atomic instructions, of which it may be one, it is read of all.
    #[inline]
    pub(super) fn read(
        model: &Model,
        trace: &TracePorts,
        cycle: u64,
        number: usize,
        Begun { wid, pc }: Begun,
        cfg: &CoreConfig,
    ) -> Self {
        let threads = cfg.threads;
        let store = model.read(trace.access_store) >> number & 1 != 0;
        let first = number * threads;
        Self {
            cycle,
            wid,
            pc,
            store,
            tmask: trace.access_tmask.get(model, number),
            funct3: trace.access_funct3.get(model, number) as u8,
            addresses: lanes(model, trace.access_addr, first, threads),
            data: if store || cfg.atomics {
                lanes(model, trace.access_data, first, threads)
            } else {
                [0; 32]
            },
        }
    }
}

/// A word for each lane, from element `first` on.
#[inline]
fn lanes(model: &Model, words: Elements, first: usize, threads: usize) -> Lanes {
    let mut lanes = [0; 32];
    words.copy(model, first, &mut lanes[..threads]);
    lanes
}
