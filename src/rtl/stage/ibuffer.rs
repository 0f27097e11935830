//! The instruction buffer between decode and issue: one queue a warp.
mod payload;
mod place;
mod queue;

use crate::prelude::*;

pub use payload::Payload;
pub use place::QueuePlace;
pub use queue::InstructionQueue;

module! {
    /// Holds the decoded instructions of each warp until they issue.
    ///
    /// Ports: below; W = warps, S = slices. Latency: written at the end of the decode cycle, at the head of an empty queue in
    /// the next. Reset: empty (SWaS: full of NOPs). Invariants: never overflows, because the schedule stage counts what is in flight; a head pops
    /// only when valid. An instruction of a warp that is flushed in its decode cycle is dropped.
    /// Critical path: `read_oh` -> payload memory -> `issue_instr`; `heads` are registers but for what comes next.
    /// Source: SWaS IV-B1 (queue of t_F + 1 entries), IV-B3 (NOPs). Mirror in the model: under SWaS `model::sched::Queues`,
    /// else none, the model has no timing.
    pub struct InstructionBuffer(cfg: &CoreConfig) [clock, reset]
    let (warps, slices, depth) = (cfg.warps, cfg.slices, cfg.queue_depth);
    let slot = bits_for(depth);
    let (slot_bits, address) = (payload::slot_bits(cfg), payload::address_bits(cfg));
    let pairs = cfg.fetches_pairs();
    let unified = cfg.unified().is_some();
    {
        // From each slice's decoder.
        /// The instruction that leaves decode.
        pub decode: Vec<Fetch<In>> = (0..slices).map(|_| Fetch::new(cfg)).collect(),
        /// Its word.
        pub decode_instr: Vec<Signal<In, Bits<32>>> = signals(slices, 32),
        /// It is the NOP in the place of an instruction that the cache missed (SWaS only).
        pub decode_nop: Opt<Signal<In, Bit>> = Opt::new(unified, Signal::default()),
        /// What it is.
        pub decoded: Vec<DecodedInstruction<In>> = (0..slices).map(|_| DecodedInstruction::new(cfg)).collect(),
        // With `--fetch-width 2`: from the decoder of the word behind it.
        /// It leaves decode too.
        pub second_valid: Opt<Vec<Signal<In, Bit>>> = Opt::new(pairs, vec![Signal::default(); slices]),
        /// That word.
        pub second_instr: Opt<Vec<Signal<In, Bits<32>>>> = Opt::new(pairs, signals(slices, 32)),
        /// What it is.
        pub second_decoded: Opt<Vec<DecodedInstruction<In>>> = Opt::new(pairs, (0..slices).map(|_| DecodedInstruction::new(cfg)).collect()),
        // From schedule.
        /// A bit a warp: queues to empty (SWaS: to fill with NOPs).
        pub flush_warps: Signal<In, WarpMask> = signal(warps),
        // From issue.
        /// A bit a warp: heads that issue this cycle.
        pub issue_fire_warps: Signal<In, WarpMask> = signal(warps),
        /// S masks of W bits, at most one set: whose head's payload each slice reads.
        pub read_oh: Vec<Signal<In, WarpMask>> = signals(slices, warps),
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
        payload: Vec<Payload> = (0..slices).map(|_| Payload::new(cfg)).collect(),
        entry: Vec<QueueEntry<Local>> = (0..slices).map(|_| QueueEntry::new(cfg)).collect(),
        second_entry: Opt<Vec<QueueEntry<Local>>> = Opt::new(pairs, (0..slices).map(|_| QueueEntry::new(cfg)).collect()),
        second_word: Opt<Vec<Signal<Local, Bits<64>>>> = Opt::new(pairs, signals(slices, 64)),
        nop: QueueEntry<Zero> = QueueEntry::new(cfg),
        instr, pc: Signal<Local, Bits<32>>,
        word: Vec<Signal<Local, Bits<64>>> = signals(slices, 64),
        push_warps: Vec<Signal<Local, WarpMask>> = signals(slices, warps),
        write_slot: Vec<Signal<Local, Bits<3>>> = signals(slices, slot),
        write_address: Vec<Signal<Local, Bits<16>>> = signals(slices, address),
        read_slot: Vec<Signal<Local, Bits<3>>> = signals(slices, slot),
        read_address: Vec<Signal<Local, Bits<16>>> = signals(slices, address),
        read_bank: Vec<Signal<Local, Bits<32>>> = signals(slices, if cfg.shares_warps() { slices } else { 1 }),
        first_slot: Vec<Const<Bits<16>>> = (0..warps).map(|w| constant(address, (cfg.rank_in_slice(w) << slot_bits) as u64)).collect(),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        _others: usize = if cfg.shares_warps() { slices } else { 0 },
        fpu: Const<Bit> = Const::new(cfg.fpu),
        unified: Const<Bit> = Const::new(unified),
        pairs: Const<Bit> = Const::new(pairs),
        _slot_bits: usize = slot_bits,
        _warps: usize = warps,
        _slices: usize = slices,
    }
}

impl Logic for InstructionBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "unread write_slot: where each slot has a memory, the first of two is at 0, the second at 1"
        );
        comment!("unread read_slot: so one bit tells which of two it is");
        comment!("1. what issue must know of the instruction that leaves each decoder");
        for s in 0..self._slices {
            Data::join(&mut self.decoded[s].facts_, &mut self.entry[s].facts_);
            self.entry[s].sp.next = self.decoded[s].collector.val() == Collector::Sp;
            self.entry[s].sfu.next = self.decoded[s].collector.val() == Collector::Sfu;
            self.entry[s].mem.next = self.decoded[s].collector.val() == Collector::Mem;
            if self.pairs.val() {
                Data::join(&mut self.second_decoded[s].facts_, &mut self.second_entry[s].facts_);
                self.second_entry[s].sp.next = self.second_decoded[s].collector.val() == Collector::Sp;
                self.second_entry[s].sfu.next = self.second_decoded[s].collector.val() == Collector::Sfu;
                self.second_entry[s].mem.next = self.second_decoded[s].collector.val() == Collector::Mem;
            }
            if self.unified.val() && self.decode_nop.val() {
                Data::join(&mut self.nop, &mut self.entry[s]);
            }
        }
        comment!("2. push it into its warp's queue, unless the warp is flushed");
        for s in 0..self._slices {
            self.push_warps[s].next = 0.into();
            self.write_slot[s].next = 0.into();
            self.write_address[s].next = 0.into();
            for i in 0..self._warps {
                if self.own_warps[s].val().get_bit(i)
                    & self.decode[s].valid.val()
                    & (self.decode[s].wid.val() == i.to_bits::<WID_BITS>())
                {
                    self.push_warps[s].next =
                        self.push_warps[s].val().replace_bit(i, !self.flush_warps.val().get_bit(i));
                    self.write_slot[s].next = self.queues[i].write_slot.val();
                    self.write_address[s].next = self.first_slot[i].val();
                }
            }
        }
        for i in 0..self._warps {
            self.queues[i].push.next = self.push_warps[0].val().get_bit(i);
            Data::join(&mut self.entry[0], &mut self.queues[i].pushed);
            for s in 1..self._slices {
                if self.own_warps[s].val().get_bit(i) {
                    self.queues[i].push.next = self.push_warps[s].val().get_bit(i);
                    Data::join(&mut self.entry[s], &mut self.queues[i].pushed);
                }
            }
            if self.pairs.val() {
                self.queues[i].push_second.next =
                    self.push_warps[0].val().get_bit(i) & self.second_valid[0].val();
                Data::join(&mut self.second_entry[0], &mut self.queues[i].pushed_second);
                for s in 1..self._slices {
                    if self.own_warps[s].val().get_bit(i) {
                        self.queues[i].push_second.next =
                            self.push_warps[s].val().get_bit(i) & self.second_valid[s].val();
                        Data::join(&mut self.second_entry[s], &mut self.queues[i].pushed_second);
                    }
                }
            }
            self.queues[i].pop.next = self.issue_fire_warps.val().get_bit(i);
            self.queues[i].flush.next = self.flush_warps.val().get_bit(i);
        }
        comment!("3. its payload, at {rank of the warp, slot}, or in a memory for each slot");
        for s in 0..self._slices {
            self.instr.next = self.decode_instr[s].val();
            self.pc.next = self.decode[s].pc.val();
            self.word[s].next =
                bit_cast::<64, 32>(self.instr.val()) | (bit_cast::<64, 32>(self.pc.val()) << 32);
            if self.pairs.val() {
                self.instr.next = self.second_instr[s].val();
                self.pc.next = self.decode[s].pc.val() + 4;
                self.second_word[s].next =
                    bit_cast::<64, 32>(self.instr.val()) | (bit_cast::<64, 32>(self.pc.val()) << 32);
            }
            for i in 0..self._slot_bits {
                self.write_address[s].next =
                    self.write_address[s].val().replace_bit(i, self.write_slot[s].val().get_bit(i));
            }
        }
        for s in 0..self._slices {
            self.payload[s].write_enable[0].next = self.push_warps[s].val().any();
            self.payload[s].write_address[0].next = self.write_address[s].val();
            self.payload[s].write_data[0].next = self.word[s].val();
            if self.pairs.val() {
                self.payload[s].write_second[0].next =
                    self.push_warps[s].val().any() & self.second_valid[s].val();
                self.payload[s].second_data[0].next = self.second_word[s].val();
                for d in 0..self._others {
                    self.payload[s].write_second[d].next =
                        self.push_warps[d].val().any() & self.second_valid[d].val();
                    self.payload[s].second_data[d].next = self.second_word[d].val();
                }
            }
            for d in 0..self._others {
                self.payload[s].write_enable[d].next = self.push_warps[d].val().any();
                self.payload[s].write_address[d].next = self.write_address[d].val();
                self.payload[s].write_data[d].next = self.word[d].val();
            }
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
            self.payload[s].read_address.next = self.read_address[s].val();
            if self.pairs.val() {
                self.payload[s].read_second.next = self.read_slot[s].val().get_bit(0);
            }
            self.read_bank[s].next = 0.into();
            for d in 0..self._others {
                self.read_bank[s].next = self.read_bank[s]
                    .val()
                    .replace_bit(d, (self.read_oh[s].val() & self.own_warps[d].val()) != 0);
            }
            self.payload[s].read_bank.next = self.read_bank[s].val();
            self.issue_instr[s].next = self.payload[s].word.val().get_bits::<32>(0);
            self.issue_pc[s].next = self.payload[s].word.val().get_bits::<32>(32);
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
            Data::join(&mut self.queues[i].head.facts_.registers, &mut self.heads.registers[i]);
            Data::join(&mut self.queues[i].following, &mut self.heads.following[i]);
            self.heads.valid_warps.next =
                self.heads.valid_warps.val().replace_bit(i, self.queues[i].head_valid.val());
            self.heads.enters_warps.next =
                self.heads.enters_warps.val().replace_bit(i, self.queues[i].head_enters.val());
            self.heads.write_warps.next = self
                .heads
                .write_warps
                .val()
                .replace_bit(i, self.queues[i].head.facts_.registers.used[0].val());
            self.heads.sfu_warps.next =
                self.heads.sfu_warps.val().replace_bit(i, self.queues[i].head.sfu.val());
            self.heads.mem_warps.next =
                self.heads.mem_warps.val().replace_bit(i, self.queues[i].head.mem.val());
            self.heads.blocks_warps.next =
                self.heads.blocks_warps.val().replace_bit(i, self.queues[i].head.facts_.blocks_issue.val());
            self.heads.memory_warps.next =
                self.heads.memory_warps.val().replace_bit(i, self.queues[i].head.facts_.memory.val());
        }
        if self.fpu.val() {
            self.heads.drains_warps.next = 0.into();
            self.heads.dynamic_rounding_warps.next = 0.into();
            for i in 0..self._warps {
                self.heads.drains_warps.next =
                    self.heads.drains_warps.val().replace_bit(i, self.queues[i].head.facts_.drains.val());
                self.heads.dynamic_rounding_warps.next = self
                    .heads
                    .dynamic_rounding_warps
                    .val()
                    .replace_bit(i, self.queues[i].head.facts_.dynamic_rounding.val());
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
