//! The instruction buffer between decode and issue: one queue a warp.
mod queue;

pub use queue::InstructionQueue;

use crate::config::{bits_for, CoreConfig};
use crate::rtl::bundle::{Data, Zero};
use crate::rtl::bundles::{DecodedInstruction, Fetch, QueueEntry, QueueHeads};
use crate::rtl::cell::{constant, signal, signals, Const, LutRam};
use crate::rtl::module::Opt;
use crate::rtl::op::Collector;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Holds the decoded instructions of each warp until they issue.
    ///
    /// Ports: below; W = warps, S = slices. Latency: written at the end of the decode cycle, at the head of an empty queue in
    /// the next. Reset: empty (SWaS: full of NOPs). Invariants: never overflows, because the schedule stage counts what is in flight; a head pops
    /// only when valid. An instruction of a warp that is flushed in its decode cycle is dropped.
    /// Critical path: `read_oh` -> payload memory -> `issue_instr`; `heads` are registers but for what comes next.
    /// Source: SWaS V-B (queue of t_F + 1 entries), IV-B3 (NOPs). Mirror in the model: under SWaS `model::sched::Queues`,
    /// else none, the model has no timing.
    pub struct InstructionBuffer(cfg: &CoreConfig) [clock, reset]
    let (warps, slices, depth) = (cfg.warps, cfg.slices, cfg.queue_depth);
    let (wid, slot) = (cfg.wid_bits(), bits_for(depth));
    let unified = cfg.unified().is_some();
    {
        // From decode.
        /// The instruction that leaves decode.
        pub decode: Fetch<In> = Fetch::new(cfg),
        /// Its word.
        pub decode_instr: Signal<In, Bits<32>>,
        /// It is the NOP in the place of an instruction that the cache missed (SWaS only).
        pub decode_nop: Opt<Signal<In, Bit>> = Opt::new(unified, Signal::default()),
        /// What it is.
        pub decoded: DecodedInstruction<In> = DecodedInstruction::new(cfg),
        // From schedule.
        /// W bits: queues to empty (SWaS: to fill with NOPs).
        pub flush_warps: Signal<In, Bits<32>> = signal(warps),
        // From issue.
        /// W bits: heads that issue this cycle.
        pub issue_fire_warps: Signal<In, Bits<32>> = signal(warps),
        /// S masks of W bits, at most one set: whose head's payload each slice reads.
        pub read_oh: Vec<Signal<In, Bits<32>>> = signals(slices, warps),
        // To issue.
        /// W counts: instructions in the queue.
        pub ibuffer_count: Vec<Signal<Out, Bits<4>>> = signals(warps, bits_for(depth + 1)),
        /// The heads.
        pub heads: QueueHeads<Out> = QueueHeads::new(cfg),
        /// S words: the head of warp `read_oh`.
        pub issue_instr: Vec<Signal<Out, Bits<32>>> = signals(slices, 32),
        /// S addresses: that of the head of warp `read_oh`.
        pub issue_pc: Vec<Signal<Out, Bits<32>>> = signals(slices, 32),
        queues: Vec<InstructionQueue> = (0..warps).map(|_| InstructionQueue::new(cfg)).collect(),
        payload: Vec<LutRam<64>> = (0..slices).map(|_| LutRam::new(64, depth << wid)).collect(),
        entry: QueueEntry<Local> = QueueEntry::new(cfg),
        nop: QueueEntry<Zero> = QueueEntry::new(cfg),
        word: Signal<Local, Bits<64>>,
        push_warps: Signal<Local, Bits<32>> = signal(warps),
        write_slot: Signal<Local, Bits<3>> = signal(slot),
        write_address: Signal<Local, Bits<16>> = signal(slot + wid),
        read_slot: Vec<Signal<Local, Bits<3>>> = signals(slices, slot),
        read_address: Vec<Signal<Local, Bits<16>>> = signals(slices, slot + wid),
        first_slot: Vec<Const<Bits<16>>> = (0..warps).map(|w| constant(slot + wid, (w << slot) as u64)).collect(),
        fpu: Const<Bit> = Const::new(cfg.fpu),
        unified: Const<Bit> = Const::new(unified),
        _slot_bits: usize = slot,
        _warps: usize = warps,
        _slices: usize = slices,
    }
}

impl Logic for InstructionBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module InstructionBuffer: Holds the decoded instructions of each warp until they issue.");
        comment!("1. what issue must know of the instruction that leaves decode");
        Data::join(&mut self.decoded.registers, &mut self.entry.registers);
        self.entry.sp.next = self.decoded.collector.val() == Collector::Sp;
        self.entry.sfu.next = self.decoded.collector.val() == Collector::Sfu;
        self.entry.mem.next = self.decoded.collector.val() == Collector::Mem;
        self.entry.blocks_issue.next = self.decoded.blocks_issue.val();
        self.entry.memory.next = self.decoded.memory.val();
        if self.fpu.val() {
            self.entry.drains.next = self.decoded.drains.val();
            self.entry.dynamic_rounding.next = self.decoded.dynamic_rounding.val();
        }
        if self.unified.val() && self.decode_nop.val() {
            Data::join(&mut self.nop, &mut self.entry);
        }

        comment!("2. push it into its warp's queue, unless the warp is flushed");
        self.push_warps.next = 0.into();
        self.write_slot.next = 0.into();
        self.write_address.next = 0.into();
        for i in 0..self._warps {
            if self.decode.valid.val() & (self.decode.wid.val() == i.to_bits::<5>()) {
                self.push_warps.next =
                    self.push_warps.val().replace_bit(i, !self.flush_warps.val().get_bit(i));
                self.write_slot.next = self.queues[i].write_slot.val();
                self.write_address.next = self.first_slot[i].val();
            }
            self.queues[i].push.next = self.push_warps.val().get_bit(i);
            Data::join(&mut self.entry, &mut self.queues[i].pushed);
            self.queues[i].pop.next = self.issue_fire_warps.val().get_bit(i);
            self.queues[i].flush.next = self.flush_warps.val().get_bit(i);
        }

        comment!("3. its payload goes to every slice's copy, at {warp, slot}");
        self.word.next =
            bit_cast::<64, 32>(self.decode_instr.val()) | (bit_cast::<64, 32>(self.decode.pc.val()) << 32);
        for i in 0..self._slot_bits {
            self.write_address.next =
                self.write_address.val().replace_bit(i, self.write_slot.val().get_bit(i));
        }

        comment!("4. each slice reads the payload of the warp it issues");
        for s in 0..self._slices {
            self.read_slot[s].next = 0.into();
            self.read_address[s].next = 0.into();
            for i in 0..self._warps {
                if self.read_oh[s].val().get_bit(i) {
                    self.read_slot[s].next = self.read_slot[s].val() | self.queues[i].read_slot.val();
                    self.read_address[s].next = self.read_address[s].val() | self.first_slot[i].val();
                }
            }
            for i in 0..self._slot_bits {
                self.read_address[s].next =
                    self.read_address[s].val().replace_bit(i, self.read_slot[s].val().get_bit(i));
            }
            self.payload[s].write_enable.next = self.push_warps.val().any();
            self.payload[s].write_address.next = self.write_address.val();
            self.payload[s].write_data.next = self.word.val();
            self.payload[s].read_address.next = self.read_address[s].val();
            self.issue_instr[s].next = self.payload[s].read_data.val().get_bits::<32>(0);
            self.issue_pc[s].next = self.payload[s].read_data.val().get_bits::<32>(32);
        }

        comment!("5. the heads");
        self.heads.valid_warps.next = 0.into();
        self.heads.enters_warps.next = 0.into();
        self.heads.write_warps.next = 0.into();
        self.heads.sfu_warps.next = 0.into();
        self.heads.mem_warps.next = 0.into();
        self.heads.blocks_warps.next = 0.into();
        self.heads.memory_warps.next = 0.into();
        for i in 0..self._warps {
            self.ibuffer_count[i].next = self.queues[i].count.val();
            Data::join(&mut self.queues[i].head.registers, &mut self.heads.registers[i]);
            Data::join(&mut self.queues[i].following, &mut self.heads.following[i]);
            self.heads.valid_warps.next =
                self.heads.valid_warps.val().replace_bit(i, self.queues[i].head_valid.val());
            self.heads.enters_warps.next =
                self.heads.enters_warps.val().replace_bit(i, self.queues[i].head_enters.val());
            self.heads.write_warps.next =
                self.heads.write_warps.val().replace_bit(i, self.queues[i].head.registers.used[0].val());
            self.heads.sfu_warps.next =
                self.heads.sfu_warps.val().replace_bit(i, self.queues[i].head.sfu.val());
            self.heads.mem_warps.next =
                self.heads.mem_warps.val().replace_bit(i, self.queues[i].head.mem.val());
            self.heads.blocks_warps.next =
                self.heads.blocks_warps.val().replace_bit(i, self.queues[i].head.blocks_issue.val());
            self.heads.memory_warps.next =
                self.heads.memory_warps.val().replace_bit(i, self.queues[i].head.memory.val());
        }
        if self.fpu.val() {
            self.heads.drains_warps.next = 0.into();
            self.heads.dynamic_rounding_warps.next = 0.into();
            for i in 0..self._warps {
                self.heads.drains_warps.next =
                    self.heads.drains_warps.val().replace_bit(i, self.queues[i].head.drains.val());
                self.heads.dynamic_rounding_warps.next = self
                    .heads
                    .dynamic_rounding_warps
                    .val()
                    .replace_bit(i, self.queues[i].head.dynamic_rounding.val());
            }
        }
        comment!("what goes to no collector is a NOP");
        if self.unified.val() {
            self.heads.nop_warps.next = 0.into();
            for i in 0..self._warps {
                self.heads.nop_warps.next = self.heads.nop_warps.val().replace_bit(
                    i,
                    !(self.queues[i].head.sp.val()
                        | self.queues[i].head.sfu.val()
                        | self.queues[i].head.mem.val()),
                );
            }
        }
    }
}
