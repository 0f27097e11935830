//! What happens in a cycle, as far as it can.

use crate::rtl_bench::{Dut, Random};
use spec::config::{bits_for, CoreConfig};

/// What a slice does.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    pub fire: bool,
    pub warps: u64,
    pub tmask: u32,
    pub store: bool,
    /// Warps that wait for their queue, control, scoreboard and a unit.
    pub waits: [u64; 4],
    pub ready: u64,
    pub fetch: bool,
    pub hit: bool,
    pub miss: bool,
}

/// What a bank of the data cache does: `dcache_reads` to `dcache_mshr_stalls` of the table, and how many MSHRs it uses.
#[derive(Clone, Debug, Default)]
pub struct Bank {
    pub does: [bool; 6],
    pub mshrs: u32,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Events {
    pub busy: bool,
    pub slices: Vec<Slice>,
    pub memory_warps: u64,
    pub use_rd_warps: u64,
    pub barrier_warps: u64,
    pub suspended_warps: u64,
    /// Lanes of a warp's load are written back; the last ones of it.
    pub commit: Option<(usize, u32, bool)>,
    pub banks: Vec<Bank>,
    /// Local memory is read, written, makes others wait.
    pub local: [bool; 3],
    pub local_lanes: u32,
    /// A read, a write, a response.
    pub bus: [bool; 3],
}

impl Events {
    pub fn idle(cfg: &CoreConfig) -> Self {
        let (slices, banks) = (vec![Slice::default(); cfg.slices], vec![Bank::default(); cfg.line_paths()]);
        Self { slices, banks, ..Self::default() }
    }

    pub fn set(&self, dut: &mut Dut, cfg: &CoreConfig) {
        let masks = |dut: &mut Dut, name: &str, slice: usize, mask: u64| match cfg.warps {
            64 => [mask as u32, (mask >> 32) as u32]
                .into_iter()
                .enumerate()
                .for_each(|(half, word)| dut.set_at(name, 2 * slice + half, 32, word)),
            warps => dut.set_at(name, slice, warps, mask as u32),
        };
        for (s, slice) in self.slices.iter().enumerate() {
            for (name, bit) in [
                ("issue_fire", slice.fire),
                ("issue_store", slice.store),
                ("fetch_fire", slice.fetch),
                ("icache_hit", slice.hit),
                ("icache_miss", slice.miss),
            ] {
                dut.set_at(name, s, 1, bit.into());
            }
            dut.set_at("issue_tmask", s, cfg.threads, slice.tmask);
            masks(dut, "issue_fire_warps", s, slice.warps);
            masks(dut, "fetch_ready_warps", s, slice.ready);
            for (cause, mask) in ["ibuffer", "control", "scoreboard", "pipeline"].into_iter().zip(slice.waits)
            {
                masks(dut, &format!("stall_on_{cause}"), s, mask);
            }
        }
        const CACHE: [&str; 6] = ["read", "write", "read_miss", "write_miss", "bank_stall", "mshr_stall"];
        for (b, bank) in self.banks.iter().enumerate() {
            for (name, bit) in CACHE.into_iter().zip(bank.does) {
                dut.set_at(&format!("memory_dcache_{name}"), b, 1, bit.into());
            }
            dut.set_at("memory_dcache_mshrs_in_use", b, bits_for(cfg.bank_mshrs() + 1), bank.mshrs);
        }
        let (wid, lanes, last) = self.commit.unwrap_or_default();
        for (name, value) in [
            ("busy", self.busy.into()),
            ("head_memory_warps", self.memory_warps),
            ("head_use_rd_warps", self.use_rd_warps),
            ("barrier_warps", self.barrier_warps),
            ("suspended_warps", self.suspended_warps),
            ("load_commit_valid", self.commit.is_some().into()),
            ("load_commit_wid", wid as u64),
            ("load_commit_tmask", lanes.into()),
            ("load_commit_last", last.into()),
            ("memory_local_read", self.local[0].into()),
            ("memory_local_write", self.local[1].into()),
            ("memory_local_bank_stall", self.local[2].into()),
            ("memory_local_lanes", self.local_lanes.into()),
            ("bus_read", self.bus[0].into()),
            ("bus_write", self.bus[1].into()),
            ("bus_response", self.bus[2].into()),
        ] {
            dut.set(name, value);
        }
    }
}

/// What every slot is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Load,
    Store,
    Nop,
    Unit,
    Scoreboard,
    Control,
    Queue,
    Barrier,
}

impl Slot {
    pub const ALL: [Self; 8] = [
        Self::Load,
        Self::Store,
        Self::Nop,
        Self::Unit,
        Self::Scoreboard,
        Self::Control,
        Self::Queue,
        Self::Barrier,
    ];
}

/// What is under way, so that only what can happen does.
pub struct World {
    cfg: CoreConfig,
    /// Lanes of each warp's loads.
    loads: Vec<Vec<u32>>,
    open_reads: usize,
}

impl World {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { cfg: cfg.clone(), loads: vec![vec![]; cfg.warps], open_reads: 0 }
    }

    /// Events of which each comes in so many of a hundred cycles.
    pub fn random(&mut self, random: &mut Random, percent: usize) -> Events {
        let Self { cfg, loads, .. } = self;
        let (all, lanes) = (cfg.all_warps(), u32::MAX >> (32 - cfg.threads));
        let bits = |random: &mut Random| random.next() << 32 ^ random.next();
        let mask = |random: &mut Random| match random.chance(percent) {
            true => bits(random) & bits(random) & all,
            false => 0,
        };
        let masks = [(); 4].map(|()| mask(random));
        let [memory_warps, mut use_rd_warps, barrier_warps, suspended_warps] = masks;
        // A register has one writer.
        for (warp, loads) in loads.iter().enumerate() {
            use_rd_warps &= !(u64::from(loads.len() + 1 >= cfg.registers()) << warp);
        }
        let mut commit = None;
        let wid = random.below(cfg.warps);
        if let Some(&load) = loads[wid].last().filter(|_| random.chance(percent)) {
            let part = if random.chance(50) { load } else { load & random.next() as u32 };
            commit = Some((wid, part, part == load));
            loads[wid].pop();
            loads[wid].extend(Some(load & !part).filter(|&rest| rest != 0));
        }
        let slices = (0..cfg.slices).map(|s| {
            let own = cfg.own_warps(s);
            let warp = s + cfg.slices * random.below(cfg.warps / cfg.slices);
            let (leaves, fetches) = (random.chance(percent), random.chance(percent));
            let slice = Slice {
                fire: leaves && random.chance(80),
                warps: u64::from(leaves) << warp,
                tmask: (random.next() as u32 & lanes).max(1),
                store: random.chance(50),
                waits: [(); 4].map(|()| mask(random) & own),
                ready: mask(random) & own,
                fetch: random.chance(percent),
                hit: fetches && random.chance(70),
                ..Slice::default()
            };
            if slice.fire && memory_warps & use_rd_warps >> warp << warp & slice.warps != 0 {
                loads[warp].insert(0, slice.tmask);
            }
            Slice { miss: fetches && !slice.hit, ..slice }
        });
        let slices = slices.collect();
        let bank = |random: &mut Random| Bank {
            does: [(); 6].map(|()| random.chance(percent)),
            mshrs: random.below(cfg.bank_mshrs() + 1) as u32,
        };
        let bus = [
            self.open_reads < cfg.open_reads() && random.chance(percent),
            random.chance(percent),
            self.open_reads > 0 && random.chance(percent),
        ];
        self.open_reads = self.open_reads + usize::from(bus[0]) - usize::from(bus[2]);
        let reads = random.chance(50);
        Events {
            busy: random.chance(90),
            slices,
            memory_warps,
            use_rd_warps,
            barrier_warps,
            suspended_warps,
            commit,
            banks: (0..cfg.line_paths()).map(|_| bank(random)).collect(),
            local: [
                random.chance(percent) && reads,
                random.chance(percent) && !reads,
                random.chance(percent),
            ],
            local_lanes: random.next() as u32 & lanes,
            bus,
        }
    }

    /// All that can happen while the slots are used for one thing.
    pub fn full(&mut self, slot: Slot) -> Events {
        let Self { cfg, loads, .. } = self;
        let (all, lanes) = (cfg.all_warps(), u32::MAX >> (32 - cfg.threads));
        let mut events = Events {
            busy: true,
            memory_warps: all,
            suspended_warps: all,
            barrier_warps: if slot == Slot::Barrier { all } else { 0 },
            banks: vec![Bank { does: [true; 6], mshrs: cfg.bank_mshrs() as u32 }; cfg.line_paths()],
            local: [slot == Slot::Load, slot != Slot::Load, true],
            local_lanes: lanes,
            bus: [true, true, self.open_reads == cfg.open_reads()],
            ..Events::default()
        };
        self.open_reads = cfg.open_reads().min(self.open_reads + 1);
        for s in 0..cfg.slices {
            let own = cfg.own_warps(s);
            let waits = |cause: usize| [0, 1, 2, 3].map(|c| if c == cause { own } else { 0 });
            // The warp with the fewest loads; no register is left if it has all.
            let warp = (s..cfg.warps).step_by(cfg.slices).min_by_key(|&warp| loads[warp].len()).unwrap();
            let mut slice = Slice { tmask: lanes, ..Slice::default() };
            match slot {
                Slot::Load | Slot::Store => (slice.fire, slice.warps) = (true, 1 << warp),
                Slot::Nop => slice.warps = 1 << warp,
                Slot::Unit => slice.waits = waits(3),
                Slot::Scoreboard => slice.waits = waits(2),
                Slot::Control | Slot::Barrier => slice.waits = waits(1),
                Slot::Queue => slice.waits = waits(0),
            }
            if slot == Slot::Load && loads[warp].len() + 1 < cfg.registers() {
                events.use_rd_warps |= 1 << warp;
                loads[warp].push(lanes);
            }
            slice.store = slot == Slot::Store;
            slice.hit = slot != Slot::Nop;
            slice.miss = slot == Slot::Nop;
            slice.ready = if slot == Slot::Load { 0 } else { own };
            events.slices.push(slice);
        }
        events
    }
}
