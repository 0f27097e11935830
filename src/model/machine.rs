//! The machine: all warps of a core, and what they share.

use super::decoded::DecodedCache;
use super::fault::{Cause, Fault};
use super::grid::{GridLaunch, Resident, StartingWarps};
use super::memory::{LocalMemory, Memory};
use super::per_warp::members;
use super::stale::StoredCode;
use super::warp::{Lanes, Wait, Warp};
use isa::reg::REGISTERS;
use spec::config::{CoreConfig, WarpMask};

/// A core as its programs see it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The memory outside the core, with its console and exit code.
    pub memory: Memory,
    pub(super) local: LocalMemory,
    pub(super) warps: Vec<Warp>,
    pub(super) threads: usize,
    pub(super) cfg: CoreConfig,
    pub(super) divergence_depth: usize,
    /// For each barrier the warps that have arrived.
    pub(super) barriers: Vec<WarpMask>,
    pub(super) mscratch: u32,
    /// Where a bare start or the grid begins.
    pub(super) start_pc: u32,
    /// The grid that it runs, or ran last.
    pub(super) grid: Option<Resident>,
    pub(super) decoded: DecodedCache,
    pub(super) stored_code: StoredCode,
    pub(super) warp_instructions: u64,
    pub(super) thread_instructions: u64,
}

impl Machine {
    /// A core as reset leaves it: lane 0 of warp 0 at `start_pc`, `start_arg` in `mscratch`.
    pub fn new(cfg: &CoreConfig, memory: Memory, start_pc: u32, start_arg: u32) -> Self {
        let mut warps: Vec<Warp> = (0..cfg.warps).map(|_| Warp::new()).collect();
        if let Some(first) = warps.first_mut() {
            first.pc = start_pc;
            first.tmask = 1;
        }
        Self {
            memory,
            local: LocalMemory::new(cfg.local_mem_bytes),
            warps,
            threads: cfg.threads,
            cfg: cfg.clone(),
            divergence_depth: cfg.ipdom_depth(),
            // An id is taken modulo the next power of two, so that each of them is a barrier.
            barriers: vec![0; cfg.barriers().next_power_of_two()],
            mscratch: start_arg,
            start_pc,
            grid: None,
            decoded: DecodedCache::new(),
            stored_code: StoredCode::new(),
            warp_instructions: 0,
            thread_instructions: 0,
        }
    }

    /// A core as reset leaves it when a grid is to run: no warp is active.
    pub fn at_rest(cfg: &CoreConfig, memory: Memory) -> Self {
        let mut machine = Self::new(cfg, memory, 0, 0);
        machine.warps.iter_mut().for_each(|warp| warp.tmask = 0);
        machine
    }

    /// Bytes between the begin of the local memory of the core and that of a warp: of its block, if it has one.
    pub fn local_base(&self, wid: usize) -> u32 {
        self.grid.as_ref().map_or(0, |grid| grid.local_base(wid))
    }

    /// Takes a grid. None of its blocks starts yet.
    ///
    /// # Errors
    /// If the core cannot run it.
    pub fn launch(&mut self, launch: &GridLaunch) -> Result<(), Fault> {
        if launch.check(&self.cfg).is_err() {
            return Err(Fault { wid: 0, pc: launch.entry, cause: Cause::Launch, address: 0, origin: None });
        }
        self.mscratch = launch.arg;
        self.start_pc = launch.entry;
        self.grid = Some(Resident::new(launch, &self.cfg));
        // The instruction cache forgets its lines.
        self.decoded.clear();
        self.stored_code.clear();
        Ok(())
    }

    /// The warps that can start next: of the next block, or further ones of the last.
    pub fn next_start(&self) -> Option<StartingWarps> {
        self.grid.as_ref()?.next(self.active_warps())
    }

    /// Starts warps of a grid in free warp slots.
    ///
    /// # Panics
    /// If there is no grid, or no such slot.
    pub fn start_warps(&mut self, starting: StartingWarps) {
        let grid = self.grid.as_mut().expect("a grid was launched");
        grid.start(starting);
        for (wid, rank) in members(starting.warps).zip(starting.rank..) {
            let warp = &mut self.warps[wid];
            warp.pc = grid.launch.entry;
            warp.last_pc = None;
            warp.tmask = grid.warps.placement().lanes_of(rank);
            warp.wait = Wait::None;
            warp.divergence.clear();
        }
    }

    /// Replaces what an instruction wrote, for results that depend on timing.
    pub fn patch(&mut self, wid: usize, rd: u8, tmask: u32, values: &Lanes) {
        if let Some(warp) = self.warps.get_mut(wid) {
            warp.write(usize::from(rd) % REGISTERS, tmask, values);
        }
    }

    /// One warp.
    ///
    /// # Panics
    /// If there is no such warp.
    pub fn warp(&self, wid: usize) -> &Warp {
        &self.warps[wid]
    }

    /// Number of warps, active or not.
    pub fn warps(&self) -> usize {
        self.warps.len()
    }

    /// The warps that are active.
    pub fn active_warps(&self) -> WarpMask {
        self.mask_of(Warp::active)
    }

    /// The warps that can execute an instruction now.
    pub fn runnable_warps(&self) -> WarpMask {
        self.mask_of(Warp::runnable)
    }

    /// The warps that wait at a barrier.
    pub fn barrier_warps(&self) -> WarpMask {
        self.mask_of(Warp::at_barrier)
    }

    /// Whether no warp is active any more, and no block has yet to start.
    pub fn finished(&self) -> bool {
        self.warps.iter().all(|warp| !warp.active()) && !self.grid.as_ref().is_some_and(Resident::has_more)
    }

    /// The on-core local memory.
    pub fn local_memory(&self) -> &LocalMemory {
        &self.local
    }

    /// The finished lines of the console.
    pub fn console_text(&self) -> &str {
        self.memory.console().text()
    }

    /// Instructions executed so far, by warps.
    pub fn warp_instructions(&self) -> u64 {
        self.warp_instructions
    }

    /// Instructions executed so far, by threads.
    pub fn thread_instructions(&self) -> u64 {
        self.thread_instructions
    }

    /// A mask with a bit for every lane.
    pub(super) fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.threads)
    }

    fn mask_of(&self, is: impl Fn(&Warp) -> bool) -> WarpMask {
        self.warps.iter().enumerate().fold(0, |mask, (wid, warp)| mask | WarpMask::from(is(warp)) << wid)
    }

    /// Starts a warp with its lowest lane.
    pub(super) fn start(&mut self, wid: usize, pc: u32) {
        let warp = &mut self.warps[wid];
        warp.pc = pc;
        warp.last_pc = None;
        warp.tmask |= 1;
        warp.wait = Wait::None;
    }
}
