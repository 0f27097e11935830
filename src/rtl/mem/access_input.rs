//! Where memory instructions come in: one slice's a cycle, of those whose accesses are worked on one after the other.
use crate::prelude::*;

module! {
    /// Chooses a slice and adds the addresses of its instruction.
    ///
    /// Ports: below. Latency: none. Reset: slice 0 goes first. Invariants: its `ready` depends on `advance`, which is
    /// late; the slices' queues let it reach their pointers alone. Critical path: slice multiplexer, 32-bit addition.
    /// Source: none. Mirror in the model: `model::timing::lsu`.
    pub struct AccessInput(cfg: &CoreConfig) [clock, reset]
    let (s, t) = (cfg.slices / cfg.accesses(), cfg.threads);
    {
        /// Instructions of the slices.
        pub mem: Vec<MemInstruction<In>> = (0..s).map(|_| MemInstruction::new(cfg)).collect(),
        /// The access stage takes the instruction that is shown.
        pub advance: Signal<In, Bit>,
        /// The instruction that is shown.
        pub arrive: MemOperation<Out> = MemOperation::new(cfg),
        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(s),
        waiting: Signal<Local, WarpMask> = signal(s),
        chosen: MemInstruction<Local> = MemInstruction::new(cfg),
        take: Signal<Local, Bit>,
        atomics: Const<Bit> = Const::new(cfg.atomics),
        _t: usize = t,
        _slices: usize = s,
    }
}

impl Logic for AccessInput {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. choose a slice");
        self.waiting.next = 0.into();
        for s in 0..self._slices {
            self.waiting.next = self.waiting.val().replace_bit(s, self.mem[s].valid.val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.arrive.access_.valid.next = self.waiting.val() != 0;
        self.take.next = self.arrive.access_.valid.val() & self.advance.val();
        self.arbiter.advance.next = self.take.val();
        comment!("2. show its instruction; without one, that of slice 0 does no harm");
        Data::join(&mut self.mem[0], &mut self.chosen);
        self.arrive.fence.next = self.mem[0].fence.val() | self.mem[0].fence_i.val();
        for s in 1..self._slices {
            if self.arbiter.grant_oh.val().get_bit(s) {
                Data::join(&mut self.mem[s], &mut self.chosen);
                self.arrive.fence.next = self.mem[s].fence.val() | self.mem[s].fence_i.val();
            }
        }
        self.chosen.ready.next = self.advance.val();
        for s in 0..self._slices {
            self.mem[s].ready.next = self.arbiter.grant_oh.val().get_bit(s) & self.chosen.ready.val();
        }
        self.arrive.access_.wid.next = self.chosen.head_.to_.wid.val();
        self.arrive.access_.tmask.next = self.chosen.head_.to_.tmask.val();
        self.arrive.access_.pc.next = self.chosen.pc.val();
        self.arrive.access_.funct3.next = self.chosen.head_.funct3.val();
        self.arrive.access_.store.next = self.chosen.store.val();
        self.arrive.rd.next = self.chosen.head_.to_.rd.val();
        self.arrive.use_rd.next = self.chosen.head_.use_rd.val();
        self.arrive.fence_i.next = self.chosen.fence_i.val();
        if self.atomics.val() {
            self.arrive.atomic.next = self.chosen.atomic.val();
            self.arrive.operation.next = self.chosen.operation.val();
            Data::join(&mut self.chosen.compared, &mut self.arrive.compared);
        }
        for i in 0..self._t {
            self.arrive.access_.addr[i].next = self.chosen.rs1[i].val() + self.chosen.imm.val();
            self.arrive.access_.data[i].next = self.chosen.rs2[i].val();
        }
    }
}
