//! The collector in front of the load-store unit.
use super::super::super::cell::{pipes, signal, signals, Pipe, Reg};
use crate::comment;
use crate::config::CoreConfig;
use rust_hdl::prelude::*;

/// Two entries in order for the class `mem`: loads, stores and fences.
///
/// Two, because the scheduler must know in the cycle of issue that there will be room two cycles later: with one
/// entry it could issue only every third cycle.
/// Ports, from the operand stage: `operand_valid` (an instruction of this class is there) and its fields
/// `operand_*`; from the load-store unit `mem_ready` (the first entry leaves). To the scoreboard `mem_free`; to the
/// load-store unit `mem_valid` and the first entry `mem_*`. Latency: one cycle. Reset: empty. Invariants: the
/// scoreboard issues this class only while `mem_free`, so what arrives always finds room.
/// Critical path: `mem_ready` -> `mem_free` -> scheduler; `mem_ready` must come from registers.
/// Source: none. Mirror in the model: none.
#[derive(LogicBlock, Default)]
pub struct MemCollector {
    _threads: usize,
    /// Rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    // From the operand stage.
    /// An instruction of this class is in the operand stage.
    pub operand_valid: Signal<In, Bit>,
    /// Its warp.
    pub operand_wid: Signal<In, Bits<5>>,
    /// Its active lanes.
    pub operand_tmask: Signal<In, Bits<32>>,
    /// Its address.
    pub operand_pc: Signal<In, Bits<32>>,
    /// Destination.
    pub operand_rd: Signal<In, Bits<6>>,
    /// There is a destination.
    pub operand_use_rd: Signal<In, Bit>,
    /// Size and sign of the access.
    pub operand_funct3: Signal<In, Bits<3>>,
    /// It is a store.
    pub operand_store: Signal<In, Bit>,
    /// It is FENCE.
    pub operand_fence: Signal<In, Bit>,
    /// It is FENCE.I.
    pub operand_fence_i: Signal<In, Bit>,
    /// Address offset.
    pub operand_imm: Signal<In, Bits<32>>,
    /// Base address of each lane.
    pub operand_rs1: Vec<Signal<In, Bits<32>>>,
    /// Store data of each lane.
    pub operand_rs2: Vec<Signal<In, Bits<32>>>,
    // From the load-store unit.
    /// It takes the entry this cycle.
    pub mem_ready: Signal<In, Bit>,
    // To the scoreboard.
    /// What issues in this cycle will find room.
    pub mem_free: Signal<Out, Bit>,
    // To the load-store unit.
    /// There is an entry.
    pub mem_valid: Signal<Out, Bit>,
    /// Its warp.
    pub mem_wid: Signal<Out, Bits<5>>,
    /// Its active lanes.
    pub mem_tmask: Signal<Out, Bits<32>>,
    /// Its address.
    pub mem_pc: Signal<Out, Bits<32>>,
    /// Destination.
    pub mem_rd: Signal<Out, Bits<6>>,
    /// There is a destination.
    pub mem_use_rd: Signal<Out, Bit>,
    /// Size and sign of the access.
    pub mem_funct3: Signal<Out, Bits<3>>,
    /// It is a store.
    pub mem_store: Signal<Out, Bit>,
    /// It is FENCE.
    pub mem_fence: Signal<Out, Bit>,
    /// It is FENCE.I.
    pub mem_fence_i: Signal<Out, Bit>,
    /// Address offset.
    pub mem_imm: Signal<Out, Bits<32>>,
    /// Base address of each lane.
    pub mem_rs1: Vec<Signal<Out, Bits<32>>>,
    /// Store data of each lane.
    pub mem_rs2: Vec<Signal<Out, Bits<32>>>,
    valid: Reg<Bit>,
    wid: Pipe<Bits<5>>,
    tmask: Pipe<Bits<32>>,
    pc: Pipe<Bits<32>>,
    rd: Pipe<Bits<6>>,
    use_rd: Pipe<Bit>,
    funct3: Pipe<Bits<3>>,
    store: Pipe<Bit>,
    fence: Pipe<Bit>,
    fence_i: Pipe<Bit>,
    imm: Pipe<Bits<32>>,
    rs1: Vec<Pipe<Bits<32>>>,
    rs2: Vec<Pipe<Bits<32>>>,
    second_valid: Reg<Bit>,
    second_wid: Pipe<Bits<5>>,
    second_tmask: Pipe<Bits<32>>,
    second_pc: Pipe<Bits<32>>,
    second_rd: Pipe<Bits<6>>,
    second_use_rd: Pipe<Bit>,
    second_funct3: Pipe<Bits<3>>,
    second_store: Pipe<Bit>,
    second_fence: Pipe<Bit>,
    second_fence_i: Pipe<Bit>,
    second_imm: Pipe<Bits<32>>,
    second_rs1: Vec<Pipe<Bits<32>>>,
    second_rs2: Vec<Pipe<Bits<32>>>,
    advance: Signal<Local, Bit>,
}

impl MemCollector {
    /// The mem collector of one slice.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (threads, wid) = (cfg.threads, cfg.wid_bits());
        Self {
            _threads: threads,
            operand_wid: signal(wid),
            operand_tmask: signal(threads),
            operand_rs1: signals(threads, 32),
            operand_rs2: signals(threads, 32),
            mem_wid: signal(wid),
            mem_tmask: signal(threads),
            mem_rs1: signals(threads, 32),
            mem_rs2: signals(threads, 32),
            wid: Pipe::<Bits<5>>::width(wid),
            tmask: Pipe::<Bits<32>>::width(threads),
            rs1: pipes(threads, 32),
            rs2: pipes(threads, 32),
            second_wid: Pipe::<Bits<5>>::width(wid),
            second_tmask: Pipe::<Bits<32>>::width(threads),
            second_rs1: pipes(threads, 32),
            second_rs2: pipes(threads, 32),
            ..Self::default()
        }
    }
}

impl Logic for MemCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemCollector: Two entries in order for the class mem: loads, stores and fences.");
        dff_setup!(self, clock, valid, wid, tmask, pc, rd, use_rd, funct3, store, fence, fence_i, imm);
        dff_setup!(
            self,
            clock,
            second_valid,
            second_wid,
            second_tmask,
            second_pc,
            second_rd,
            second_use_rd,
            second_funct3,
            second_store,
            second_fence,
            second_fence_i,
            second_imm
        );
        comment!("1. the first entry takes the second, or what arrives");
        self.advance.next = !self.valid.q.val() | self.mem_ready.val();
        if self.advance.val() {
            self.valid.d.next = self.second_valid.q.val() | self.operand_valid.val();
            self.second_valid.d.next = self.second_valid.q.val() & self.operand_valid.val();
            self.wid.d.next = self.operand_wid.val();
            self.tmask.d.next = self.operand_tmask.val();
            self.pc.d.next = self.operand_pc.val();
            self.rd.d.next = self.operand_rd.val();
            self.use_rd.d.next = self.operand_use_rd.val();
            self.funct3.d.next = self.operand_funct3.val();
            self.store.d.next = self.operand_store.val();
            self.fence.d.next = self.operand_fence.val();
            self.fence_i.d.next = self.operand_fence_i.val();
            self.imm.d.next = self.operand_imm.val();
        } else if self.operand_valid.val() {
            self.second_valid.d.next = true;
        }
        if self.advance.val() & self.second_valid.q.val() {
            self.wid.d.next = self.second_wid.q.val();
            self.tmask.d.next = self.second_tmask.q.val();
            self.pc.d.next = self.second_pc.q.val();
            self.rd.d.next = self.second_rd.q.val();
            self.use_rd.d.next = self.second_use_rd.q.val();
            self.funct3.d.next = self.second_funct3.q.val();
            self.store.d.next = self.second_store.q.val();
            self.fence.d.next = self.second_fence.q.val();
            self.fence_i.d.next = self.second_fence_i.q.val();
            self.imm.d.next = self.second_imm.q.val();
        }
        if self.operand_valid.val() {
            self.second_wid.d.next = self.operand_wid.val();
            self.second_tmask.d.next = self.operand_tmask.val();
            self.second_pc.d.next = self.operand_pc.val();
            self.second_rd.d.next = self.operand_rd.val();
            self.second_use_rd.d.next = self.operand_use_rd.val();
            self.second_funct3.d.next = self.operand_funct3.val();
            self.second_store.d.next = self.operand_store.val();
            self.second_fence.d.next = self.operand_fence.val();
            self.second_fence_i.d.next = self.operand_fence_i.val();
            self.second_imm.d.next = self.operand_imm.val();
        }
        for i in 0..self._threads {
            self.rs1[i].clock.next = self.clock.val();
            self.rs2[i].clock.next = self.clock.val();
            self.second_rs1[i].clock.next = self.clock.val();
            self.second_rs2[i].clock.next = self.clock.val();
            self.rs1[i].d.next = self.rs1[i].q.val();
            self.rs2[i].d.next = self.rs2[i].q.val();
            self.second_rs1[i].d.next = self.second_rs1[i].q.val();
            self.second_rs2[i].d.next = self.second_rs2[i].q.val();
            if self.advance.val() {
                self.rs1[i].d.next = self.operand_rs1[i].val();
                self.rs2[i].d.next = self.operand_rs2[i].val();
            }
            if self.advance.val() & self.second_valid.q.val() {
                self.rs1[i].d.next = self.second_rs1[i].q.val();
                self.rs2[i].d.next = self.second_rs2[i].q.val();
            }
            if self.operand_valid.val() {
                self.second_rs1[i].d.next = self.operand_rs1[i].val();
                self.second_rs2[i].d.next = self.operand_rs2[i].val();
            }
            self.mem_rs1[i].next = self.rs1[i].q.val();
            self.mem_rs2[i].next = self.rs2[i].q.val();
        }
        comment!(
            "2. room for what issues now: with what is in the operand stage it must fit into two entries"
        );
        self.mem_free.next = self.advance.val() | !self.second_valid.q.val();
        if self.operand_valid.val() {
            self.mem_free.next = self.advance.val() & !self.second_valid.q.val();
        }
        comment!("3. entry");
        self.mem_valid.next = self.valid.q.val();
        self.mem_wid.next = self.wid.q.val();
        self.mem_tmask.next = self.tmask.q.val();
        self.mem_pc.next = self.pc.q.val();
        self.mem_rd.next = self.rd.q.val();
        self.mem_use_rd.next = self.use_rd.q.val();
        self.mem_funct3.next = self.funct3.q.val();
        self.mem_store.next = self.store.q.val();
        self.mem_fence.next = self.fence.q.val();
        self.mem_fence_i.next = self.fence_i.q.val();
        self.mem_imm.next = self.imm.q.val();
    }
}
