//! Where memory instructions come in: one slice's a cycle.
use crate::config::CoreConfig;
use crate::rtl::cell::{signal, signals, RoundRobinArbiter};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Chooses a slice and adds the addresses of its instruction.
    ///
    /// Ports, from the issue slices: `mem_*` -> `mem_ready`. From the access stage: `advance` (it takes what is shown) ->
    /// `arrive_*`: an instruction, of the lanes' addresses and values.
    /// Latency: none. Reset: slice 0 goes first. Invariants: `mem_ready` depends on `advance`, which is late; the slices'
    /// queues let it reach their pointers alone.
    /// Critical path: slice multiplexer, 32-bit addition.
    /// Source: none. Mirror in the model: none (timing only).
    pub struct AccessInput(cfg: &CoreConfig) [clock, reset]
    let (s, t, wid_bits) = (cfg.slices, cfg.threads, cfg.wid_bits());
    {
        /// A slice has an instruction.
        pub mem_valid: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Its warp.
        pub mem_wid: Vec<Signal<In, Bits<5>>> = signals(s, wid_bits),
        /// Its lanes.
        pub mem_tmask: Vec<Signal<In, Bits<32>>> = signals(s, t),
        /// Its address.
        pub mem_pc: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// Destination register.
        pub mem_rd: Vec<Signal<In, Bits<6>>> = signals(s, 6),
        /// It writes a register.
        pub mem_use_rd: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Size and extension.
        pub mem_funct3: Vec<Signal<In, Bits<3>>> = signals(s, 3),
        /// It is a store.
        pub mem_store: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// It is FENCE.
        pub mem_fence: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// It is FENCE.I.
        pub mem_fence_i: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Address offset.
        pub mem_imm: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// Base address, each slice and lane.
        pub mem_rs1: Vec<Vec<Signal<In, Bits<32>>>> = (0..s).map(|_| signals(t, 32)).collect(),
        /// Value to store, each slice and lane.
        pub mem_rs2: Vec<Vec<Signal<In, Bits<32>>>> = (0..s).map(|_| signals(t, 32)).collect(),
        /// The slice's instruction is taken.
        pub mem_ready: Vec<Signal<Out, Bit>> = vec![Signal::default(); s],
        /// The access stage takes the instruction that is shown.
        pub advance: Signal<In, Bit>,
        /// An instruction is shown.
        pub arrive_valid: Signal<Out, Bit>,
        /// Its warp.
        pub arrive_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Its lanes.
        pub arrive_tmask: Signal<Out, Bits<32>> = signal(t),
        /// Its own address.
        pub arrive_pc: Signal<Out, Bits<32>>,
        /// Destination register.
        pub arrive_rd: Signal<Out, Bits<6>>,
        /// It writes a register.
        pub arrive_use_rd: Signal<Out, Bit>,
        /// Size and extension.
        pub arrive_funct3: Signal<Out, Bits<3>>,
        /// It is a store.
        pub arrive_store: Signal<Out, Bit>,
        /// It is FENCE or FENCE.I.
        pub arrive_fence: Signal<Out, Bit>,
        /// It is FENCE.I.
        pub arrive_fence_i: Signal<Out, Bit>,
        /// Byte address of each lane.
        pub arrive_address: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// Value to store of each lane.
        pub arrive_data: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(s),
        waiting: Signal<Local, Bits<32>> = signal(s),
        offset: Signal<Local, Bits<32>>,
        base: Vec<Signal<Local, Bits<32>>> = signals(t, 32),
        take: Signal<Local, Bit>,
        _t: usize = t,
        _slices: usize = s,
    }
}

impl Logic for AccessInput {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AccessInput: Chooses a slice and adds the addresses of its instruction.");
        comment!("1. choose a slice");
        self.waiting.next = 0.into();
        for s in 0..self._slices {
            self.waiting.next = self.waiting.val().replace_bit(s, self.mem_valid[s].val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.arrive_valid.next = self.waiting.val() != 0;
        self.take.next = self.arrive_valid.val() & self.advance.val();
        self.arbiter.advance.next = self.take.val();
        comment!("2. show its instruction; without one, that of slice 0 does no harm");
        self.arrive_wid.next = self.mem_wid[0].val();
        self.arrive_tmask.next = self.mem_tmask[0].val();
        self.arrive_pc.next = self.mem_pc[0].val();
        self.arrive_rd.next = self.mem_rd[0].val();
        self.arrive_use_rd.next = self.mem_use_rd[0].val();
        self.arrive_funct3.next = self.mem_funct3[0].val();
        self.arrive_store.next = self.mem_store[0].val();
        self.arrive_fence.next = self.mem_fence[0].val() | self.mem_fence_i[0].val();
        self.arrive_fence_i.next = self.mem_fence_i[0].val();
        self.offset.next = self.mem_imm[0].val();
        for i in 0..self._t {
            self.base[i].next = self.mem_rs1[0][i].val();
            self.arrive_data[i].next = self.mem_rs2[0][i].val();
        }
        for s in 0..self._slices {
            self.mem_ready[s].next = self.arbiter.grant_oh.val().get_bit(s) & self.advance.val();
        }
        for s in 1..self._slices {
            if self.arbiter.grant_oh.val().get_bit(s) {
                self.arrive_wid.next = self.mem_wid[s].val();
                self.arrive_tmask.next = self.mem_tmask[s].val();
                self.arrive_pc.next = self.mem_pc[s].val();
                self.arrive_rd.next = self.mem_rd[s].val();
                self.arrive_use_rd.next = self.mem_use_rd[s].val();
                self.arrive_funct3.next = self.mem_funct3[s].val();
                self.arrive_store.next = self.mem_store[s].val();
                self.arrive_fence.next = self.mem_fence[s].val() | self.mem_fence_i[s].val();
                self.arrive_fence_i.next = self.mem_fence_i[s].val();
                self.offset.next = self.mem_imm[s].val();
                for i in 0..self._t {
                    self.base[i].next = self.mem_rs1[s][i].val();
                    self.arrive_data[i].next = self.mem_rs2[s][i].val();
                }
            }
        }
        for i in 0..self._t {
            self.arrive_address[i].next = self.base[i].val() + self.offset.val();
        }
    }
}
