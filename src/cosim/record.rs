//! A cycle of the hardware as observers are told it, read from the trace port.

use model::sched::{CoreView, CLASSES};
use model::timing::{
    Begun, BusRecord, CacheRecord, CollectRecord, Issued, LocalRecord, Record, SliceRecord, Written,
};
use spec::config::MAX_SLICES;

use super::core::Core;
use super::ports::TracePorts;

/// Writes over `record` the cycle that the ports of a core with so many slices and, if there is a data cache, `cached`
/// show; all schedulers see `view` in it.
#[inline]
pub(super) fn read(
    core: &Core,
    view: &CoreView,
    trace: &TracePorts,
    slices: usize,
    cached: bool,
    record: &mut Record,
) {
    let model = &core.model;
    let (issued, committed) = (model.read(trace.issue_valid), model.read(trace.commit_valid));
    let (last, hit, miss) =
        (model.read(trace.commit_last), model.read(trace.icache_hit), model.read(trace.icache_miss));
    let on = |port| model.read(port) != 0;
    // On AXI4 a request shows later, and a line earlier, than the caches see them.
    let (read, write, response) = core
        .link
        .beats(model)
        .unwrap_or_else(|| (on(trace.bus_read), on(trace.bus_write), on(trace.bus_response)));
    record.busy = core.busy();
    record.active_warps = view.active_warps;
    record.barrier_warps = view.barrier.warps;
    record.held_warps = view.held_warps;
    record.stall_control = model.read(trace.stall_control);
    record.stall_ibuffer = model.read(trace.stall_ibuffer);
    record.stall_scoreboard = model.read(trace.stall_scoreboard);
    record.stall_pipeline = model.read(trace.stall_pipeline);
    record.fetch_waits = model.read(trace.waiting_warps);
    record.bus = BusRecord { read, write, response };
    record.begun = [None; MAX_SLICES];
    let begins = model.read(trace.access_valid);
    for (number, begun) in record.begun.iter_mut().enumerate().filter(|(number, _)| begins >> number & 1 != 0)
    {
        *begun = Some(Begun {
            wid: trace.access_wid.get(model, number) as usize,
            pc: trace.access_pc.get(model, number),
        });
    }
    for (slice, of_slice) in record.slices.iter_mut().enumerate().take(slices) {
        let is = |mask: u64| mask >> slice & 1 != 0;
        let fires = trace.issue_sched.fire.get(model, slice) != 0;
        *of_slice = SliceRecord {
            fires: match is(issued) {
                true => Some(trace.issue_wid.get(model, slice) as usize),
                false if fires => {
                    Some(trace.issue_sched_grant_oh.get_wide(model, slice).trailing_zeros() as usize)
                }
                false => None,
            },
            issued: is(issued).then(|| Issued {
                wid: trace.issue_wid.get(model, slice) as usize,
                pc: trace.issue_pc.get(model, slice),
                raw: trace.issue_instr.get(model, slice),
                tmask: trace.issue_tmask.get(model, slice),
            }),
            can_fetch: trace.fetch.ready_warps.get_wide(model, slice) != 0,
            fetches: trace.fetch.fire.get(model, slice) != 0,
            icache: (is(hit) || is(miss)).then(|| is(hit)),
            collect: trace.collect.map_or_else(CollectRecord::default, |ports| CollectRecord {
                waits: ports.waits.get(model, slice),
                full: std::array::from_fn(|class| ports.free.get(model, slice * CLASSES.len() + class) == 0),
            }),
            written: is(committed).then(|| Written {
                wid: trace.commit_wid.get(model, slice) as usize,
                rd: trace.commit_rd.get(model, slice) as u8,
                lanes: trace.commit_tmask.get(model, slice).count_ones(),
                last: is(last),
            }),
            departs: trace.oracles.map_or([false; 2], |oracles| {
                [oracles.discrepancy, oracles.error].map(|port| is(model.read(port)))
            }),
        };
    }
    record.local = LocalRecord::default();
    if on(trace.local_read) || on(trace.local_write) {
        let lanes = model.read(trace.local_lanes).count_ones();
        record.local = LocalRecord {
            reads: lanes * u32::from(on(trace.local_read)),
            writes: lanes * u32::from(on(trace.local_write)),
            stalls: on(trace.local_bank_stall),
        };
    }
    record.cache = CacheRecord::default();
    if cached && record.busy {
        let count = |port| model.read(port).count_ones();
        record.cache = CacheRecord {
            reads: count(trace.dcache_read),
            writes: count(trace.dcache_write),
            read_misses: count(trace.dcache_read_miss),
            write_misses: count(trace.dcache_write_miss),
            bank_stalls: count(trace.dcache_bank_stall),
            mshr_stalls: count(trace.dcache_mshr_stall),
            mshrs: trace.dcache_mshrs_in_use.sum(model) as u32,
        };
    }
}
