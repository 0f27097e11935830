//! First stage of the load/store unit: takes an instruction from a slice and knows what remains of it.
use crate::comment;
use crate::config::CoreConfig;
use crate::rtl::cell::{constant, pipes, signal, signals, Const, Pipe, Reg, RoundRobinArbiter};
use rust_hdl::prelude::*;

/// Adds the addresses, checks them, and holds the instruction until all its lanes are served.
///
/// Ports, from the issue slices: `mem_*` -> `mem_ready`. From the rest of the unit: `served` (lanes served in this
/// cycle), `fence_done` -> `access_*`: `access_valid` (a load or store without fault), `access_fence`, its fields,
/// `access_lanes` (still to be served), `access_first` (none served yet), `access_discard` (a load to x0, which
/// does nothing). `fault_*`, `busy`.
/// Latency: one cycle. Reset: empty. Invariants: an instruction with a fault in any lane accesses nothing; one
/// instruction is taken every other cycle at most, so that `mem_ready` depends on registers alone.
/// Critical path: 32-bit addition; range check and fault priority over T lanes.
/// Source: VORTEX_ABI 3.3. Mirror in the model: load, store.
#[derive(LogicBlock)]
pub struct AccessStage {
    /// Rising edge advances the state.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// A slice has an instruction.
    pub mem_valid: Vec<Signal<In, Bit>>,
    /// Its warp.
    pub mem_wid: Vec<Signal<In, Bits<5>>>,
    /// Its lanes.
    pub mem_tmask: Vec<Signal<In, Bits<32>>>,
    /// Its address.
    pub mem_pc: Vec<Signal<In, Bits<32>>>,
    /// Destination register.
    pub mem_rd: Vec<Signal<In, Bits<6>>>,
    /// It writes a register.
    pub mem_use_rd: Vec<Signal<In, Bit>>,
    /// Size and extension.
    pub mem_funct3: Vec<Signal<In, Bits<3>>>,
    /// It is a store.
    pub mem_store: Vec<Signal<In, Bit>>,
    /// It is FENCE.
    pub mem_fence: Vec<Signal<In, Bit>>,
    /// It is FENCE.I.
    pub mem_fence_i: Vec<Signal<In, Bit>>,
    /// Address offset.
    pub mem_imm: Vec<Signal<In, Bits<32>>>,
    /// Base address, each slice and lane.
    pub mem_rs1: Vec<Vec<Signal<In, Bits<32>>>>,
    /// Value to store, each slice and lane.
    pub mem_rs2: Vec<Vec<Signal<In, Bits<32>>>>,
    /// The slice's instruction is taken.
    pub mem_ready: Vec<Signal<Out, Bit>>,
    /// Lanes served in this cycle.
    pub served: Signal<In, Bits<32>>,
    /// The fence that waits is done.
    pub fence_done: Signal<In, Bit>,
    /// A load or store wants to be served.
    pub access_valid: Signal<Out, Bit>,
    /// A fence waits.
    pub access_fence: Signal<Out, Bit>,
    /// The fence is FENCE.I.
    pub access_fence_i: Signal<Out, Bit>,
    /// A load to x0 ends here.
    pub access_discard: Signal<Out, Bit>,
    /// No lane has been served yet.
    pub access_first: Signal<Out, Bit>,
    /// All lanes are served after this cycle.
    pub access_last: Signal<Out, Bit>,
    /// Warp.
    pub access_wid: Signal<Out, Bits<5>>,
    /// Lanes of the instruction.
    pub access_tmask: Signal<Out, Bits<32>>,
    /// Lanes still to be served.
    pub access_lanes: Signal<Out, Bits<32>>,
    /// Address of the instruction.
    pub access_pc: Signal<Out, Bits<32>>,
    /// Destination register.
    pub access_rd: Signal<Out, Bits<6>>,
    /// Size and extension.
    pub access_funct3: Signal<Out, Bits<3>>,
    /// It is a store.
    pub access_store: Signal<Out, Bit>,
    /// Byte address of each lane.
    pub access_address: Vec<Signal<Out, Bits<32>>>,
    /// Value to store of each lane.
    pub access_data: Vec<Signal<Out, Bits<32>>>,
    /// A lane must not access its address.
    pub fault_valid: Signal<Out, Bit>,
    /// 2 misaligned load, 3 misaligned store, 4 outside the local memory.
    pub fault_cause: Signal<Out, Bits<4>>,
    /// Address of the first such lane.
    pub fault_addr: Signal<Out, Bits<32>>,
    /// An instruction is held.
    pub busy: Signal<Out, Bit>,
    arbiter: RoundRobinArbiter,
    valid: Reg<Bit>,
    first: Reg<Bit>,
    lanes: Reg<Bits<32>>,
    tmask: Pipe<Bits<32>>,
    wid: Pipe<Bits<5>>,
    pc: Pipe<Bits<32>>,
    rd: Pipe<Bits<6>>,
    use_rd: Pipe<Bit>,
    funct3: Pipe<Bits<3>>,
    store: Pipe<Bit>,
    fence: Pipe<Bit>,
    fence_i: Pipe<Bit>,
    address: Vec<Pipe<Bits<32>>>,
    data: Vec<Pipe<Bits<32>>>,
    waiting: Signal<Local, Bits<32>>,
    take: Signal<Local, Bit>,
    size: Signal<Local, Bits<2>>,
    lane_address: Signal<Local, Bits<32>>,
    misaligned: Signal<Local, Bits<32>>,
    out_of_range: Signal<Local, Bits<32>>,
    failing: Signal<Local, Bits<32>>,
    found: Signal<Local, Bit>,
    faulty: Signal<Local, Bit>,
    cause: Signal<Local, Bits<4>>,
    access: Signal<Local, Bit>,
    remaining: Signal<Local, Bits<32>>,
    outside: Const<Bits<16>>,
    _t: usize,
    _slices: usize,
}

impl AccessStage {
    /// The stage for `cfg.slices` slices and `cfg.threads` lanes.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (s, t, wid_bits) = (cfg.slices, cfg.threads, cfg.wid_bits());
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            mem_valid: vec![Signal::default(); s],
            mem_wid: signals(s, wid_bits),
            mem_tmask: signals(s, t),
            mem_pc: signals(s, 32),
            mem_rd: signals(s, 6),
            mem_use_rd: vec![Signal::default(); s],
            mem_funct3: signals(s, 3),
            mem_store: vec![Signal::default(); s],
            mem_fence: vec![Signal::default(); s],
            mem_fence_i: vec![Signal::default(); s],
            mem_imm: signals(s, 32),
            mem_rs1: (0..s).map(|_| signals(t, 32)).collect(),
            mem_rs2: (0..s).map(|_| signals(t, 32)).collect(),
            mem_ready: vec![Signal::default(); s],
            served: signal(t),
            fence_done: Signal::default(),
            access_valid: Signal::default(),
            access_fence: Signal::default(),
            access_fence_i: Signal::default(),
            access_discard: Signal::default(),
            access_first: Signal::default(),
            access_last: Signal::default(),
            access_wid: signal(wid_bits),
            access_tmask: signal(t),
            access_lanes: signal(t),
            access_pc: Signal::default(),
            access_rd: Signal::default(),
            access_funct3: Signal::default(),
            access_store: Signal::default(),
            access_address: signals(t, 32),
            access_data: signals(t, 32),
            fault_valid: Signal::default(),
            fault_cause: Signal::default(),
            fault_addr: Signal::default(),
            busy: Signal::default(),
            arbiter: RoundRobinArbiter::new(s),
            valid: Reg::new(),
            first: Reg::new(),
            lanes: Reg::<Bits<32>>::width(t),
            tmask: Pipe::<Bits<32>>::width(t),
            wid: Pipe::<Bits<5>>::width(wid_bits),
            pc: Pipe::new(),
            rd: Pipe::new(),
            use_rd: Pipe::new(),
            funct3: Pipe::new(),
            store: Pipe::new(),
            fence: Pipe::new(),
            fence_i: Pipe::new(),
            address: pipes(t, 32),
            data: pipes(t, 32),
            waiting: signal(s),
            take: Signal::default(),
            size: Signal::default(),
            lane_address: Signal::default(),
            misaligned: signal(t),
            out_of_range: signal(t),
            failing: signal(t),
            found: Signal::default(),
            faulty: Signal::default(),
            cause: Signal::default(),
            access: Signal::default(),
            remaining: signal(t),
            outside: constant(16, 0x1_0000 - cfg.local_mem_bytes as u64),
            _t: t,
            _slices: s,
        }
    }
}

impl Logic for AccessStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AccessStage: Adds the addresses, checks them, and holds the instruction until all its lanes are served.");
        dff_setup!(
            self, clock, valid, first, lanes, tmask, wid, pc, rd, use_rd, funct3, store, fence, fence_i
        );
        // 1. choose a slice
        self.waiting.next = 0.into();
        for s in 0..self._slices {
            self.waiting.next = self.waiting.val().replace_bit(s, self.mem_valid[s].val());
        }
        self.arbiter.clock.next = self.clock.val();
        self.arbiter.reset.next = self.reset.val();
        self.arbiter.requests.next = self.waiting.val();
        self.take.next = (self.waiting.val() != 0) & !self.valid.q.val();
        self.arbiter.advance.next = self.take.val();
        // 2. take its instruction
        for i in 0..self._t {
            self.address[i].clock.next = self.clock.val();
            self.data[i].clock.next = self.clock.val();
            self.address[i].d.next = self.address[i].q.val();
            self.data[i].d.next = self.data[i].q.val();
        }
        for s in 0..self._slices {
            self.mem_ready[s].next = self.arbiter.grant_oh.val().get_bit(s) & !self.valid.q.val();
            if self.take.val() & self.arbiter.grant_oh.val().get_bit(s) {
                self.wid.d.next = self.mem_wid[s].val();
                self.tmask.d.next = self.mem_tmask[s].val();
                self.pc.d.next = self.mem_pc[s].val();
                self.rd.d.next = self.mem_rd[s].val();
                self.use_rd.d.next = self.mem_use_rd[s].val();
                self.funct3.d.next = self.mem_funct3[s].val();
                self.store.d.next = self.mem_store[s].val();
                self.fence.d.next = self.mem_fence[s].val() | self.mem_fence_i[s].val();
                self.fence_i.d.next = self.mem_fence_i[s].val();
                for i in 0..self._t {
                    self.address[i].d.next = self.mem_rs1[s][i].val() + self.mem_imm[s].val();
                    self.data[i].d.next = self.mem_rs2[s][i].val();
                }
            }
        }
        // 3. check every lane; misalignment goes first, then the first lane that fails gives the address
        self.size.next = self.funct3.q.val().get_bits::<2>(0);
        self.misaligned.next = 0.into();
        self.out_of_range.next = 0.into();
        for i in 0..self._t {
            self.lane_address.next = self.address[i].q.val();
            if self.lanes.q.val().get_bit(i) {
                self.misaligned.next = self.misaligned.val().replace_bit(
                    i,
                    ((self.size.val() == 1) & self.lane_address.val().get_bit(0))
                        | ((self.size.val() == 2) & (self.lane_address.val().get_bits::<2>(0) != 0)),
                );
                self.out_of_range.next = self.out_of_range.val().replace_bit(
                    i,
                    (self.lane_address.val().get_bits::<16>(16) == 0xFFFF)
                        & ((self.lane_address.val().get_bits::<16>(0) & self.outside.val()) != 0),
                );
            }
        }
        self.faulty.next = self.misaligned.val().any() | self.out_of_range.val().any();
        self.failing.next = self.out_of_range.val();
        self.cause.next = 4.into();
        if self.misaligned.val().any() {
            self.failing.next = self.misaligned.val();
            self.cause.next = 2.into();
            if self.store.q.val() {
                self.cause.next = 3.into();
            }
        }
        self.found.next = false;
        self.fault_addr.next = 0.into();
        for i in 0..self._t {
            if self.failing.val().get_bit(i) & !self.found.val() {
                self.found.next = true;
                self.fault_addr.next = self.address[i].q.val();
            }
        }
        self.fault_cause.next = self.cause.val();
        self.fault_valid.next = self.valid.q.val() & !self.fence.q.val() & self.faulty.val();
        // 4. what the rest of the unit sees
        self.access.next = self.valid.q.val() & !self.fence.q.val() & !self.faulty.val();
        self.access_discard.next = self.access.val() & !self.store.q.val() & !self.use_rd.q.val();
        self.access_valid.next = self.access.val() & (self.store.q.val() | self.use_rd.q.val());
        self.access_fence.next = self.valid.q.val() & self.fence.q.val();
        self.access_fence_i.next = self.fence_i.q.val();
        self.access_first.next = self.first.q.val();
        self.access_wid.next = self.wid.q.val();
        self.access_tmask.next = self.tmask.q.val();
        self.access_lanes.next = self.lanes.q.val();
        self.access_pc.next = self.pc.q.val();
        self.access_rd.next = self.rd.q.val();
        self.access_funct3.next = self.funct3.q.val();
        self.access_store.next = self.store.q.val();
        for i in 0..self._t {
            self.access_address[i].next = self.address[i].q.val();
            self.access_data[i].next = self.data[i].q.val();
        }
        self.busy.next = self.valid.q.val();
        // 5. what remains
        self.remaining.next = self.lanes.q.val() & !self.served.val();
        self.access_last.next = self.remaining.val() == 0;
        self.lanes.d.next = self.remaining.val();
        if self.served.val() != 0 {
            self.first.d.next = false;
        }
        if (!self.fence.q.val()
            & (self.faulty.val() | !(self.store.q.val() | self.use_rd.q.val()) | (self.remaining.val() == 0)))
            | self.fence_done.val()
        {
            self.valid.d.next = false;
        }
        if self.take.val() {
            self.valid.d.next = true;
            self.first.d.next = true;
        }
        for s in 0..self._slices {
            if self.take.val() & self.arbiter.grant_oh.val().get_bit(s) {
                self.lanes.d.next = self.mem_tmask[s].val();
            }
        }
    }
}
