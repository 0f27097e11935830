//! Where memory instructions come in: one slice's a cycle.
use crate::config::CoreConfig;
use crate::rtl::bundles::MemInstruction;
use crate::rtl::cell::{signal, signals, RoundRobinArbiter};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Chooses a slice and adds the addresses of its instruction.
    ///
    /// Ports, from the issue slices: `mem`. From the access stage: `advance` (it takes what is shown) ->
    /// `arrive_*`: an instruction, of the lanes' addresses and values.
    /// Latency: none. Reset: slice 0 goes first. Invariants: its `ready` depends on `advance`, which is late; the slices'
    /// queues let it reach their pointers alone.
    /// Critical path: slice multiplexer, 32-bit addition.
    /// Source: none. Mirror in the model: none (timing only).
    pub struct AccessInput(cfg: &CoreConfig) [clock, reset]
    let (s, t, wid_bits) = (cfg.slices, cfg.threads, cfg.wid_bits());
    {
        /// Instructions of the slices.
        pub mem: Vec<MemInstruction<In>> = (0..s).map(|_| MemInstruction::new(cfg)).collect(),
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
            self.waiting.next = self.waiting.val().replace_bit(s, self.mem[s].valid.val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.arrive_valid.next = self.waiting.val() != 0;
        self.take.next = self.arrive_valid.val() & self.advance.val();
        self.arbiter.advance.next = self.take.val();
        comment!("2. show its instruction; without one, that of slice 0 does no harm");
        self.arrive_wid.next = self.mem[0].wid.val();
        self.arrive_tmask.next = self.mem[0].tmask.val();
        self.arrive_pc.next = self.mem[0].pc.val();
        self.arrive_rd.next = self.mem[0].rd.val();
        self.arrive_use_rd.next = self.mem[0].use_rd.val();
        self.arrive_funct3.next = self.mem[0].funct3.val();
        self.arrive_store.next = self.mem[0].store.val();
        self.arrive_fence.next = self.mem[0].fence.val() | self.mem[0].fence_i.val();
        self.arrive_fence_i.next = self.mem[0].fence_i.val();
        self.offset.next = self.mem[0].imm.val();
        for i in 0..self._t {
            self.base[i].next = self.mem[0].rs1[i].val();
            self.arrive_data[i].next = self.mem[0].rs2[i].val();
        }
        for s in 0..self._slices {
            self.mem[s].ready.next = self.arbiter.grant_oh.val().get_bit(s) & self.advance.val();
        }
        for s in 1..self._slices {
            if self.arbiter.grant_oh.val().get_bit(s) {
                self.arrive_wid.next = self.mem[s].wid.val();
                self.arrive_tmask.next = self.mem[s].tmask.val();
                self.arrive_pc.next = self.mem[s].pc.val();
                self.arrive_rd.next = self.mem[s].rd.val();
                self.arrive_use_rd.next = self.mem[s].use_rd.val();
                self.arrive_funct3.next = self.mem[s].funct3.val();
                self.arrive_store.next = self.mem[s].store.val();
                self.arrive_fence.next = self.mem[s].fence.val() | self.mem[s].fence_i.val();
                self.arrive_fence_i.next = self.mem[s].fence_i.val();
                self.offset.next = self.mem[s].imm.val();
                for i in 0..self._t {
                    self.base[i].next = self.mem[s].rs1[i].val();
                    self.arrive_data[i].next = self.mem[s].rs2[i].val();
                }
            }
        }
        for i in 0..self._t {
            self.arrive_address[i].next = self.base[i].val() + self.offset.val();
        }
    }
}
