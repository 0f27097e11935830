//! The instruction buffer between decode and issue: one queue a warp.
mod queue;

pub use queue::InstructionQueue;
use queue::{HAZARD, INTEGER_HAZARD};

use crate::config::{bits_for, CoreConfig};
use crate::rtl::cell::{constant, signal, signals, Const, LutRam};
use crate::rtl::op::Collector;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Holds the decoded instructions of each warp until they issue.
    ///
    /// Ports: below; W = warps, S = slices. Latency: written at the end of the decode cycle, at the head of an empty queue in
    /// the next. Reset: empty (SWaS: full of NOPs). Invariants: never overflows, because the schedule stage counts what is in flight; a head pops
    /// only when valid. An instruction of a warp that is flushed in its decode cycle is dropped.
    /// Critical path: `read_oh` -> payload memory -> `issue_instr`; the head signals are registers.
    /// Source: SWaS V-B (queue of t_F + 1 entries), IV-B3 (NOPs). Mirror in the model: under SWaS `model::sched::Queues`,
    /// else none, the model has no timing.
    pub struct InstructionBuffer(cfg: &CoreConfig) [clock, reset]
    let (warps, slices, depth) = (cfg.warps, cfg.slices, cfg.queue_depth);
    let (wid, slot) = (cfg.wid_bits(), bits_for(depth));
    let fpu = usize::from(cfg.fpu);
    let hazard = if cfg.fpu { HAZARD } else { INTEGER_HAZARD };
    let unified = usize::from(cfg.unified().is_some());
    {
        // From decode.
        /// An instruction leaves decode.
        pub decode_valid: Signal<In, Bit>,
        /// Its warp.
        pub decode_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its address.
        pub decode_pc: Signal<In, Bits<32>>,
        /// Its word.
        pub decode_instr: Signal<In, Bits<32>>,
        /// It writes `rd`.
        pub decode_use_rd: Signal<In, Bit>,
        /// It reads `rs1`.
        pub decode_use_rs1: Signal<In, Bit>,
        /// It reads `rs2`.
        pub decode_use_rs2: Signal<In, Bit>,
        /// Destination register.
        pub decode_rd: Signal<In, Bits<6>>,
        /// First source register.
        pub decode_rs1: Signal<In, Bits<6>>,
        /// Second source register.
        pub decode_rs2: Signal<In, Bits<6>>,
        /// The collector it goes to.
        pub decode_collector: Signal<In, Collector>,
        /// Nothing younger issues before it is resolved.
        pub decode_blocks_issue: Signal<In, Bit>,
        /// It is a load or a store.
        pub decode_memory: Signal<In, Bit>,
        /// With a floating-point unit: it reads `rs3`.
        pub decode_use_rs3: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: third source register.
        pub decode_rs3: Vec<Signal<In, Bits<6>>> = signals(fpu, 6),
        /// With a floating-point unit: it waits until its warp has nothing in flight.
        pub decode_drains: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: its rounding mode is its warp's `frm`.
        pub decode_dynamic_rounding: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// It is the NOP in the place of an instruction that the cache missed (SWaS only).
        pub decode_nop: Vec<Signal<In, Bit>> = (0..unified).map(|_| Signal::default()).collect(),
        // From schedule.
        /// W bits: queues to empty (SWaS: to fill with NOPs).
        pub flush_warps: Signal<In, Bits<32>> = signal(warps),
        // From issue.
        /// W bits: heads that issue this cycle.
        pub issue_fire_warps: Signal<In, Bits<32>> = signal(warps),
        /// S masks of W bits, at most one set: whose head's payload each slice reads.
        pub read_oh: Vec<Signal<In, Bits<32>>> = signals(slices, warps),
        // To issue; heads are meaningless where `ibuffer_valid_warps` is 0.
        /// W bits: the queue is not empty.
        pub ibuffer_valid_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W counts: instructions in the queue.
        pub ibuffer_count: Vec<Signal<Out, Bits<4>>> = signals(warps, bits_for(depth + 1)),
        /// W registers: destination of the head.
        pub head_rd: Vec<Signal<Out, Bits<6>>> = signals(warps, 6),
        /// W registers: first source of the head.
        pub head_rs1: Vec<Signal<Out, Bits<6>>> = signals(warps, 6),
        /// W registers: second source of the head.
        pub head_rs2: Vec<Signal<Out, Bits<6>>> = signals(warps, 6),
        /// W registers: destination of what is at the head in the next cycle, if the present head issues or one enters.
        pub next_rd: Vec<Signal<Out, Bits<6>>> = signals(warps, 6),
        /// W registers: its first source.
        pub next_rs1: Vec<Signal<Out, Bits<6>>> = signals(warps, 6),
        /// W registers: its second source.
        pub next_rs2: Vec<Signal<Out, Bits<6>>> = signals(warps, 6),
        /// W bits: it writes `rd`.
        pub next_use_rd_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: it reads `rs1`.
        pub next_use_rs1_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: it reads `rs2`.
        pub next_use_rs2_warps: Signal<Out, Bits<32>> = signal(warps),
        /// With a floating-point unit, W registers: its third source.
        pub next_rs3: Vec<Signal<Out, Bits<6>>> = signals(fpu * warps, 6),
        /// With a floating-point unit, W bits: it reads `rs3`.
        pub next_use_rs3_warps: Vec<Signal<Out, Bits<32>>> = signals(fpu, warps),
        /// W bits: a first instruction enters the empty queue.
        pub head_enters_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head writes `rd`.
        pub head_use_rd_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head reads `rs1`.
        pub head_use_rs1_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head reads `rs2`.
        pub head_use_rs2_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head goes to collector SP.
        pub head_sp_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head goes to collector SFU.
        pub head_sfu_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head goes to collector MEM.
        pub head_mem_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head blocks issue until it is resolved.
        pub head_blocks_warps: Signal<Out, Bits<32>> = signal(warps),
        /// W bits: the head is a load or a store.
        pub head_memory_warps: Signal<Out, Bits<32>> = signal(warps),
        /// With a floating-point unit, W registers: third source of the head.
        pub head_rs3: Vec<Signal<Out, Bits<6>>> = signals(fpu * warps, 6),
        /// With a floating-point unit, W bits: the head reads `rs3`.
        pub head_use_rs3_warps: Vec<Signal<Out, Bits<32>>> = signals(fpu, warps),
        /// With a floating-point unit, W bits: the head waits until its warp has nothing in flight.
        pub head_drains_warps: Vec<Signal<Out, Bits<32>>> = signals(fpu, warps),
        /// With a floating-point unit, W bits: the head's rounding mode is its warp's `frm`.
        pub head_dynamic_rounding_warps: Vec<Signal<Out, Bits<32>>> = signals(fpu, warps),
        /// W bits: the head is a NOP (SWaS only).
        pub head_nop_warps: Vec<Signal<Out, Bits<32>>> = signals(unified, warps),
        /// S words: the head of warp `read_oh`.
        pub issue_instr: Vec<Signal<Out, Bits<32>>> = signals(slices, 32),
        /// S addresses: that of the head of warp `read_oh`.
        pub issue_pc: Vec<Signal<Out, Bits<32>>> = signals(slices, 32),
        queues: Vec<InstructionQueue> = (0..warps).map(|_| InstructionQueue::new(depth, hazard, unified == 1)).collect(),
        payload: Vec<LutRam<64>> = (0..slices).map(|_| LutRam::new(64, depth << wid)).collect(),
        hazard: Signal<Local, Bits<HAZARD>> = signal(hazard),
        word: Signal<Local, Bits<64>>,
        push_warps: Signal<Local, Bits<32>> = signal(warps),
        write_slot: Signal<Local, Bits<3>> = signal(slot),
        write_address: Signal<Local, Bits<16>> = signal(slot + wid),
        read_slot: Vec<Signal<Local, Bits<3>>> = signals(slices, slot),
        read_address: Vec<Signal<Local, Bits<16>>> = signals(slices, slot + wid),
        first_slot: Vec<Const<Bits<16>>> = (0..warps).map(|w| constant(slot + wid, (w << slot) as u64)).collect(),
        _slot_bits: usize = slot,
        _warps: usize = warps,
        _slices: usize = slices,
        _fpu: usize = fpu,
        _unified: usize = unified,
    }
}

impl Logic for InstructionBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module InstructionBuffer: Holds the decoded instructions of each warp until they issue.");
        comment!("1. the hazard record of the instruction that leaves decode");
        self.hazard.next = bit_cast::<HAZARD, 6>(self.decode_rd.val())
            | (bit_cast::<HAZARD, 6>(self.decode_rs1.val()) << 6)
            | (bit_cast::<HAZARD, 6>(self.decode_rs2.val()) << 12);
        self.hazard.next = self.hazard.val().replace_bit(18, self.decode_use_rd.val());
        self.hazard.next = self.hazard.val().replace_bit(19, self.decode_use_rs1.val());
        self.hazard.next = self.hazard.val().replace_bit(20, self.decode_use_rs2.val());
        self.hazard.next = self.hazard.val().replace_bit(21, self.decode_collector.val() == Collector::Sp);
        self.hazard.next = self.hazard.val().replace_bit(22, self.decode_collector.val() == Collector::Sfu);
        self.hazard.next = self.hazard.val().replace_bit(23, self.decode_collector.val() == Collector::Mem);
        self.hazard.next = self.hazard.val().replace_bit(24, self.decode_blocks_issue.val());
        self.hazard.next = self.hazard.val().replace_bit(25, self.decode_memory.val());
        for k in 0..self._fpu {
            for b in 0..6 {
                self.hazard.next =
                    self.hazard.val().replace_bit(b + 26_usize, self.decode_rs3[k].val().get_bit(b));
            }
            self.hazard.next = self.hazard.val().replace_bit(32, self.decode_use_rs3[k].val());
            self.hazard.next = self.hazard.val().replace_bit(33, self.decode_drains[k].val());
            self.hazard.next = self.hazard.val().replace_bit(34, self.decode_dynamic_rounding[k].val());
        }
        for k in 0..self._unified {
            if self.decode_nop[k].val() {
                self.hazard.next = 0.into();
            }
        }

        comment!("2. push it into its warp's queue, unless the warp is flushed");
        self.push_warps.next = 0.into();
        self.write_slot.next = 0.into();
        self.write_address.next = 0.into();
        for i in 0..self._warps {
            if self.decode_valid.val() & (self.decode_wid.val() == i.to_bits::<5>()) {
                self.push_warps.next =
                    self.push_warps.val().replace_bit(i, !self.flush_warps.val().get_bit(i));
                self.write_slot.next = self.queues[i].write_slot.val();
                self.write_address.next = self.first_slot[i].val();
            }
            self.queues[i].push.next = self.push_warps.val().get_bit(i);
            self.queues[i].push_hazard.next = self.hazard.val();
            self.queues[i].pop.next = self.issue_fire_warps.val().get_bit(i);
            self.queues[i].flush.next = self.flush_warps.val().get_bit(i);
        }

        comment!("3. its payload goes to every slice's copy, at {warp, slot}");
        self.word.next =
            bit_cast::<64, 32>(self.decode_instr.val()) | (bit_cast::<64, 32>(self.decode_pc.val()) << 32);
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
        self.ibuffer_valid_warps.next = 0.into();
        self.head_enters_warps.next = 0.into();
        self.next_use_rd_warps.next = 0.into();
        self.next_use_rs1_warps.next = 0.into();
        self.next_use_rs2_warps.next = 0.into();
        self.head_use_rd_warps.next = 0.into();
        self.head_use_rs1_warps.next = 0.into();
        self.head_use_rs2_warps.next = 0.into();
        self.head_sp_warps.next = 0.into();
        self.head_sfu_warps.next = 0.into();
        self.head_mem_warps.next = 0.into();
        self.head_blocks_warps.next = 0.into();
        self.head_memory_warps.next = 0.into();
        for i in 0..self._warps {
            self.ibuffer_count[i].next = self.queues[i].count.val();
            self.ibuffer_valid_warps.next =
                self.ibuffer_valid_warps.val().replace_bit(i, self.queues[i].head_valid.val());
            self.head_rd[i].next = self.queues[i].head_hazard.val().get_bits::<6>(0);
            self.head_rs1[i].next = self.queues[i].head_hazard.val().get_bits::<6>(6);
            self.head_rs2[i].next = self.queues[i].head_hazard.val().get_bits::<6>(12);
            self.next_rd[i].next = self.queues[i].next_hazard.val().get_bits::<6>(0);
            self.next_rs1[i].next = self.queues[i].next_hazard.val().get_bits::<6>(6);
            self.next_rs2[i].next = self.queues[i].next_hazard.val().get_bits::<6>(12);
            self.next_use_rd_warps.next =
                self.next_use_rd_warps.val().replace_bit(i, self.queues[i].next_hazard.val().get_bit(18));
            self.next_use_rs1_warps.next =
                self.next_use_rs1_warps.val().replace_bit(i, self.queues[i].next_hazard.val().get_bit(19));
            self.next_use_rs2_warps.next =
                self.next_use_rs2_warps.val().replace_bit(i, self.queues[i].next_hazard.val().get_bit(20));
            self.head_enters_warps.next =
                self.head_enters_warps.val().replace_bit(i, self.queues[i].head_enters.val());
            self.head_use_rd_warps.next =
                self.head_use_rd_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(18));
            self.head_use_rs1_warps.next =
                self.head_use_rs1_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(19));
            self.head_use_rs2_warps.next =
                self.head_use_rs2_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(20));
            self.head_sp_warps.next =
                self.head_sp_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(21));
            self.head_sfu_warps.next =
                self.head_sfu_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(22));
            self.head_mem_warps.next =
                self.head_mem_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(23));
            self.head_blocks_warps.next =
                self.head_blocks_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(24));
            self.head_memory_warps.next =
                self.head_memory_warps.val().replace_bit(i, self.queues[i].head_hazard.val().get_bit(25));
        }
        for k in 0..self._fpu {
            self.head_use_rs3_warps[k].next = 0.into();
            self.next_use_rs3_warps[k].next = 0.into();
            self.head_drains_warps[k].next = 0.into();
            self.head_dynamic_rounding_warps[k].next = 0.into();
            for i in 0..self._warps {
                self.head_rs3[i].next = self.queues[i].head_hazard.val().get_bits::<6>(26);
                self.next_rs3[i].next = self.queues[i].next_hazard.val().get_bits::<6>(26);
                self.next_use_rs3_warps[k].next = self.next_use_rs3_warps[k]
                    .val()
                    .replace_bit(i, self.queues[i].next_hazard.val().get_bit(32));
                self.head_use_rs3_warps[k].next = self.head_use_rs3_warps[k]
                    .val()
                    .replace_bit(i, self.queues[i].head_hazard.val().get_bit(32));
                self.head_drains_warps[k].next = self.head_drains_warps[k]
                    .val()
                    .replace_bit(i, self.queues[i].head_hazard.val().get_bit(33));
                self.head_dynamic_rounding_warps[k].next = self.head_dynamic_rounding_warps[k]
                    .val()
                    .replace_bit(i, self.queues[i].head_hazard.val().get_bit(34));
            }
        }
        // what goes to no collector is a NOP
        for k in 0..self._unified {
            self.head_nop_warps[k].next =
                !(self.head_sp_warps.val() | self.head_sfu_warps.val() | self.head_mem_warps.val());
        }
    }
}
