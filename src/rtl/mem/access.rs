//! First stage of the load/store unit: holds an instruction and knows what remains of it.
use super::{AtomicRounds, StackInterleaver};
use crate::prelude::*;

module! {
    /// Checks the addresses and holds the instruction until all its lanes are served, each by the path of its line.
    ///
    /// The path of a line, and with it the bank of the data cache, is found from all bits of its number, so that lines a power
    /// of two apart, like those of the threads' stacks, are spread over the paths. Path 0 has local memory, and all of I/O, whose
    /// accesses reach the bus in order.
    ///
    /// With `--stack-interleave` the addresses that it holds are those in memory, [`StackInterleaver`].
    ///
    /// `offset` says where in the banks a word is: bits 2 and up are its bank's number. With `--local-mem-skew` row r of local
    /// memory, a word a bank, begins in bank r modulo T.
    ///
    /// Ports: below. Latency: one cycle. Reset: empty. Invariants: an instruction with a fault in any lane accesses
    /// nothing; the next instruction is taken in the cycle in which the last lanes of this one are served. Critical
    /// path: `serve` -> `advance` -> the slices' queues. Addresses are checked, and their paths found, on their way
    /// in, behind the adders, where there is time. Source: docs/ISA.md, sections 2, 6 and 8. Mirror in the model:
    /// load, store.
    pub struct AccessStage(cfg: &CoreConfig) [clock, reset]
    let (t, paths) = (cfg.threads, cfg.line_paths());
    let path_bits = clog2(paths);
    // Bit j of a path's number is the parity of every bit of the line's number that is j modulo their count.
    let parity = |j: usize| (0..26).filter(|bit| bit % path_bits == j).fold(0, |mask, bit| mask | 1 << bit);
    {
        /// An instruction that arrives.
        pub arrive: MemOperation<In> = MemOperation::new(cfg),
        /// What arrives is taken.
        pub advance: Signal<Out, Bit>,
        /// Lanes are served in this cycle, by each path.
        pub serve: Vec<Signal<In, Bit>> = vec![Signal::default(); paths],
        /// Which ones are, if any.
        pub served: Vec<Signal<In, Bits<32>>> = signals(paths, t),
        /// The fence that waits is done.
        pub fence_done: Signal<In, Bit>,
        /// With other instructions at the same time: all that were taken before this one have been served.
        pub oldest: Opt<Signal<In, Bit>> = Opt::new(cfg.accesses() > 1, Signal::default()),
        /// A load or store wants to be served.
        pub access_valid: Signal<Out, Bit>,
        /// An atomic instruction wants to be served.
        pub access_atomic: Opt<Signal<Out, Bit>> = Opt::new(cfg.atomics, Signal::default()),
        /// Its lanes are to be stored, with these words; else to be loaded.
        pub access_stores: Opt<Signal<Out, Bit>> = Opt::new(cfg.atomics, Signal::default()),
        /// Word of each lane.
        pub access_word: Opt<Vec<Signal<Out, Bits<32>>>> = Opt::new(cfg.atomics, signals(t, 32)),
        /// For each lane, the lanes before it that want the same word.
        pub same_word: Opt<Vec<Signal<In, Bits<32>>>> = Opt::new(cfg.atomics, signals(t, t)),
        /// A path shows a result.
        pub result_valid: Opt<Vec<Signal<In, Bit>>> = Opt::new(cfg.atomics, vec![Signal::default(); paths]),
        /// That result.
        pub result: Opt<Vec<UnitResult<In>>> = Opt::new(cfg.atomics, (0..paths).map(|_| UnitResult::new(cfg)).collect()),
        /// A fence waits.
        pub access_fence: Signal<Out, Bit>,
        /// A load to x0 ends here.
        pub access_discard: Signal<Out, Bit>,
        /// No lane has been served yet.
        pub access_first: Signal<Out, Bit>,
        /// No lane remains behind those that are served in this cycle.
        pub access_last: Signal<Out, Bit>,
        /// Lanes still to be served by each path.
        pub access_lanes: Vec<Signal<Out, Bits<32>>> = signals(paths, t),
        /// The instruction that is held.
        pub instruction: MemOperation<Out> = MemOperation::new(cfg),
        /// A lane must not access its address: 2 misaligned load, 3 misaligned store or atomic instruction, 4 outside the local memory, 9 below 0x40.
        /// The address is that of the first such lane.
        pub fault: Fault<Out> = Fault::new(cfg),
        /// Of each lane's address the lower bits: where in its line or in the core's local memory.
        pub offset: Vec<Signal<Out, Bits<14>>> = signals(t, 14),
        /// With a dispatcher: where each warp's block has its local memory.
        pub map: Opt<CtaMap<In>> = Opt::new(cfg.grid, CtaMap::new(cfg)),
        held_offset: Opt<Vec<Pipe<Bits<14>>>> = Opt::new(cfg.grid, pipes(t, 14)),
        arrive_offset: Opt<Vec<Signal<Local, Bits<14>>>> = Opt::new(cfg.grid, signals(t, 14)),
        local_base, row, bank: Signal<Local, Bits<14>>,
        bounded, in_local, ends, room, found, faulty, access: Signal<Local, Bit>,
        has_grid: Const<Bit> = Const::new(cfg.grid),
        skews: Const<Bit> = Const::new(cfg.skews_local_memory()),
        bank_mask: Const<Bits<14>> = constant(14, 4 * (t as u64 - 1)),
        row_shift: Const<Bits<4>> = constant(4, 2 + clog2(t) as u64),
        held: MemOperation<Registered> = MemOperation::new(cfg),
        first: Reg<Bit>,
        lanes: Vec<Reg<Bits<32>>> = regs(paths, t),
        stacks: Opt<Vec<StackInterleaver>> = Opt::new(cfg.interleaved_stacks() > 1, (0..t).map(|_| StackInterleaver::new(cfg)).collect()),
        rounds: Opt<AtomicRounds> = Opt::new(cfg.atomics, AtomicRounds::new(cfg)),
        loads: Opt<Signal<Local, Bit>> = Opt::new(cfg.atomics, Signal::default()),
        /// Lanes that are not done, and lanes that go to their paths.
        left, gone: Opt<Signal<Local, Bits<32>>> = Opt::new(cfg.atomics, signal(t)),
        arrive_lanes: Vec<Signal<Local, Bits<32>>> = signals(paths, t),
        line: Signal<Local, Bits<26>>,
        page: Signal<Local, Bits<16>>,
        path: Signal<Local, Bits<2>> = signal(path_bits.max(1)),
        served_now: Signal<Local, Bit>,
        size: Signal<Local, Bits<2>>,
        lane_address: Signal<Local, Bits<32>>,
        misaligned: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        arrive_misaligned, arrive_out_of_range, arrive_unmapped, failing,
        remaining: Signal<Local, Bits<32>> = signal(t),
        out_of_range: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        unmapped: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        cause: Signal<Local, Bits<4>>,
        parities: Vec<Const<Bits<26>>> = (0..path_bits).map(|j| constant(26, parity(j))).collect(),
        /// Bits of an offset in the region of local memory that are 0 inside the memory that is there.
        outside: Const<Bits<16>> = constant(16, 0x1_0000 - cfg.local_mem_bytes as u64),
        atomics: Const<Bit> = Const::new(cfg.atomics),
        interleaves: Const<Bit> = Const::new(cfg.interleaved_stacks() > 1),
        _t: usize = t,
        _paths: usize = paths,
        several: Const<Bit> = Const::new(paths > 1),
        among_others: Const<Bit> = Const::new(cfg.accesses() > 1),
        _path_bits: usize = path_bits,
        _warps: usize = cfg.warps,
    }
}

impl Logic for AccessStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread lane_address: which line it is matters only where a line may be unmapped");
        comment!("1. check every lane of what arrives");
        self.size.next = self.arrive.access_.funct3.val().get_bits::<2>(0);
        self.arrive_misaligned.next = 0.into();
        self.arrive_out_of_range.next = 0.into();
        self.arrive_unmapped.next = 0.into();
        if self.arrive.access_.valid.val() {
            for i in 0..self._t {
                self.lane_address.next = self.arrive.access_.addr[i].val();
                if self.arrive.access_.tmask.val().get_bit(i) {
                    self.arrive_misaligned.next = self.arrive_misaligned.val().replace_bit(
                        i,
                        ((self.size.val() == 1) & self.lane_address.val().get_bit(0))
                            | ((self.size.val() == 2) & (self.lane_address.val().get_bits::<2>(0) != 0)),
                    );
                    self.arrive_out_of_range.next = self.arrive_out_of_range.val().replace_bit(
                        i,
                        (self.lane_address.val().get_bits::<16>(16) == 0xFFFF)
                            & ((self.lane_address.val().get_bits::<16>(0) & self.outside.val()) != 0),
                    );
                    self.arrive_unmapped.next = self
                        .arrive_unmapped
                        .val()
                        .replace_bit(i, self.lane_address.val().get_bits::<26>(6) == 0);
                }
            }
        }
        if self.interleaves.val() {
            comment!("Behind here a lane's address is that in memory.");
            for i in 0..self._t {
                self.stacks[i].address.next = self.arrive.access_.addr[i].val();
                self.stacks[i].size.next = self.arrive.access_.funct3.val().get_bits::<2>(0);
            }
        }
        if self.several.val() {
            for p in 0..self._paths {
                self.arrive_lanes[p].next = 0.into();
            }
            for i in 0..self._t {
                self.lane_address.next = self.arrive.access_.addr[i].val();
                if self.interleaves.val() {
                    self.lane_address.next = self.stacks[i].place.val();
                }
                self.line.next = self.lane_address.val().get_bits::<26>(6);
                self.path.next = 0.into();
                self.page.next = self.lane_address.val().get_bits::<16>(16);
                if (self.page.val() != 0xFFFF) & (self.page.val() != 0) {
                    for j in 0..self._path_bits {
                        self.path.next =
                            self.path.val().replace_bit(j, (self.line.val() & self.parities[j].val()).xor());
                    }
                }
                for p in 0..self._paths {
                    self.arrive_lanes[p].next = self.arrive_lanes[p].val().replace_bit(
                        i,
                        self.arrive.access_.tmask.val().get_bit(i) & (self.path.val() == p.to_bits::<2>()),
                    );
                }
            }
        } else {
            self.arrive_lanes[0].next = self.arrive.access_.tmask.val();
        }
        if self.has_grid.val() {
            comment!("A block finds its part of the local memory where it begins for a program, and nothing behind it.");
            self.local_base.next = 0.into();
            for w in 0..self._warps {
                if self.map.in_grid.val() & (self.arrive.access_.wid.val() == w.to_bits::<WID_BITS>()) {
                    self.local_base.next = self.map.local_base[w].val();
                }
            }
            self.bounded.next = self.map.in_grid.val() & (self.map.local_bytes.val() != 0);
            for i in 0..self._t {
                self.lane_address.next = self.arrive.access_.addr[i].val();
                if self.interleaves.val() {
                    self.lane_address.next = self.stacks[i].place.val();
                }
                self.in_local.next = self.lane_address.val().get_bits::<16>(16) == 0xFFFF;
                if self.arrive.access_.tmask.val().get_bit(i)
                    & self.in_local.val()
                    & self.bounded.val()
                    & (self.lane_address.val().get_bits::<16>(0)
                        >= bit_cast::<16, 15>(self.map.local_bytes.val()))
                {
                    self.arrive_out_of_range.next = self.arrive_out_of_range.val().replace_bit(i, true);
                }
                self.arrive_offset[i].next = self.lane_address.val().get_bits::<14>(0);
                if self.in_local.val() {
                    self.arrive_offset[i].next =
                        self.lane_address.val().get_bits::<14>(0) + self.local_base.val();
                }
                self.offset[i].next = self.held_offset[i].q.val();
            }
        } else {
            for i in 0..self._t {
                self.lane_address.next = self.held.access_.addr[i].q.val();
                self.offset[i].next = self.lane_address.val().get_bits::<14>(0);
            }
        }
        if self.skews.val() {
            comment!("Each row of local memory, a word a bank, begins a bank after the row before.");
            for i in 0..self._t {
                self.lane_address.next = self.held.access_.addr[i].q.val();
                self.in_local.next = self.lane_address.val().get_bits::<16>(16) == 0xFFFF;
                self.row.next = self.offset[i].val() >> self.row_shift.val();
                self.bank.next = (self.offset[i].val() + (self.row.val() << 2)) & self.bank_mask.val();
                if self.in_local.val() {
                    self.offset[i].next = (self.offset[i].val() & !self.bank_mask.val()) | self.bank.val();
                }
            }
        }
        comment!("2. misalignment goes first, then local memory's size, then the first line; the first lane that fails gives the address");
        self.faulty.next =
            self.misaligned.q.val().any() | self.out_of_range.q.val().any() | self.unmapped.q.val().any();
        self.failing.next = self.unmapped.q.val();
        self.cause.next = 9.into();
        if self.out_of_range.q.val().any() {
            self.failing.next = self.out_of_range.q.val();
            self.cause.next = 4.into();
        }
        if self.misaligned.q.val().any() {
            self.failing.next = self.misaligned.q.val();
            self.cause.next = 2.into();
            if self.held.access_.store.q.val() {
                self.cause.next = 3.into();
            }
            if self.atomics.val() && self.held.atomic.q.val() {
                self.cause.next = 3.into();
            }
        }
        self.found.next = false;
        self.fault.addr.next = 0.into();
        for i in 0..self._t {
            if self.failing.val().get_bit(i) & !self.found.val() {
                self.found.next = true;
                self.fault.addr.next = self.held.access_.addr[i].q.val();
            }
        }
        self.fault.wid.next = self.held.access_.wid.q.val();
        self.fault.pc.next = self.held.access_.pc.q.val();
        self.fault.cause.next = self.cause.val();
        self.fault.valid.next =
            self.held.access_.valid.q.val() & !self.held.fence.q.val() & self.faulty.val();
        if self.among_others.val() {
            comment!("Faults are told in the order in which instructions were taken.");
            if !self.oldest.val() {
                self.fault.valid.next = false;
            }
        }
        comment!("3. what the rest of the unit sees");
        self.access.next = self.held.access_.valid.q.val() & !self.held.fence.q.val() & !self.faulty.val();
        self.access_discard.next =
            self.access.val() & !self.held.access_.store.q.val() & !self.held.use_rd.q.val();
        self.access_valid.next =
            self.access.val() & (self.held.access_.store.q.val() | self.held.use_rd.q.val());
        self.access_fence.next = self.held.access_.valid.q.val() & self.held.fence.q.val();
        self.access_first.next = self.first.q.val();
        if self.atomics.val() {
            self.access_atomic.next = self.access_valid.val() & self.held.atomic.q.val();
        }
        Data::join(&mut self.held, &mut self.instruction);
        if self.atomics.val() {
            comment!("An atomic instruction shows the lanes of a round, to be loaded and then to be stored.");
            self.rounds.active.next = self.access_atomic.val();
            self.rounds.wid.next = self.held.access_.wid.q.val();
            self.rounds.rd.next = self.held.rd.q.val();
            self.rounds.operation.next = self.held.operation.q.val();
            Data::join(&mut self.held.access_.data, &mut self.rounds.operand);
            Data::join(&mut self.held.compared, &mut self.rounds.compared);
            Data::join(&mut self.same_word, &mut self.rounds.same_word);
            Data::join(&mut self.result_valid, &mut self.rounds.result_valid);
            Data::join(&mut self.result, &mut self.rounds.result);
            self.left.next = 0.into();
            self.gone.next = 0.into();
            for p in 0..self._paths {
                self.left.next = self.left.val() | self.lanes[p].q.val();
                if self.serve[p].val() & self.held.atomic.q.val() {
                    self.gone.next = self.gone.val() | self.served[p].val();
                }
            }
            self.rounds.left.next = self.left.val();
            self.rounds.pushed.next = self.gone.val();
            self.loads.next = self.held.atomic.q.val() & !self.rounds.stores.val();
            self.access_stores.next = self.rounds.stores.val();
            Data::join(&mut self.rounds.word, &mut self.access_word);
        }
        comment!("4. what remains");
        self.access_last.next = true;
        self.served_now.next = false;
        for p in 0..self._paths {
            self.access_lanes[p].next = self.lanes[p].q.val();
            if self.atomics.val() && self.held.atomic.q.val() {
                self.access_lanes[p].next = self.lanes[p].q.val() & self.rounds.lanes.val();
            }
            self.remaining.next = self.lanes[p].q.val() & !self.served[p].val();
            self.access_last.next = self.access_last.val()
                & (self.remaining.val() == 0)
                & (self.serve[p].val() | (self.lanes[p].q.val() == 0));
            if self.serve[p].val() {
                self.lanes[p].d.next = self.remaining.val();
                self.first.d.next = false;
                self.served_now.next = true;
            }
            if self.atomics.val() && self.loads.val() {
                comment!("Lanes that go to be loaded remain.");
                self.lanes[p].d.next = self.lanes[p].q.val();
                self.access_last.next = false;
            }
        }
        comment!("Whether lanes are served at all is known late, and so comes last.");
        self.ends.next = (!self.held.fence.q.val()
            & (self.faulty.val() | !(self.held.access_.store.q.val() | self.held.use_rd.q.val())))
            | self.fence_done.val()
            | (self.access_last.val() & self.served_now.val());
        if self.among_others.val() {
            comment!("A fault waits for its turn.");
            if self.faulty.val() & !self.oldest.val() {
                self.ends.next = false;
            }
        }
        comment!("5. the next instruction");
        self.room.next = !self.held.access_.valid.q.val() | self.ends.val();
        self.advance.next = self.room.val();
        if self.room.val() {
            self.first.d.next = true;
            Data::join(&mut self.arrive_lanes, &mut self.lanes);
            Data::join(&mut self.arrive, &mut self.held);
            if self.interleaves.val() {
                for i in 0..self._t {
                    self.held.access_.addr[i].d.next = self.stacks[i].place.val();
                }
            }
            Data::join(&mut self.arrive_offset, &mut self.held_offset);
            self.misaligned.d.next = self.arrive_misaligned.val();
            self.out_of_range.d.next = self.arrive_out_of_range.val();
            self.unmapped.d.next = self.arrive_unmapped.val();
        }
    }
}
