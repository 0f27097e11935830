//! The scoreboard: which warps may issue, and why the others may not.
use super::hazard::HazardRow;
use crate::prelude::*;

module! {
    /// Registers that wait for a result, warps that wait for a branch, and the issue decision's inputs.
    ///
    /// Ports: below. Latency: combinational; what issues or commits shows in the next cycle. Reset: nothing pending.
    /// Invariants: an active warp of the slice is in `ready_warps` or in exactly one of the stall masks, which
    /// exclude each other in the order control, queue, scoreboard, unit. `operand_stall` puts all ready warps into
    /// `stall_on.pipeline` too: it comes late, so it stops the grant from firing and not the warps from being ready. A
    /// register has one writer in flight. Critical path: from a head's hazards, which are registers (see
    /// `HazardRow`), to the ready mask: a few gates. Source: docs/SCHEDULERS.md, section 1 (issue-ready, data-ready).
    /// Mirror in the model: `model::timing`.
    pub struct Scoreboard(cfg: &CoreConfig) [clock, reset]
    let (warps, wid) = (cfg.warps, cfg.wid_bits());
    {
        _warps: usize = warps,
        fpu: Const<Bit> = Const::new(cfg.fpu),
        /// The warps of this slice.
        pub own_warps: Signal<In, WarpMask> = signal(warps),
        // From the warp table and the special unit.
        /// Resident and not exited.
        pub active_warps: Signal<In, WarpMask> = signal(warps),
        /// Activated this cycle.
        pub start_warps: Signal<In, WarpMask> = signal(warps),
        /// Waiting at a barrier.
        pub barrier_warps: Signal<In, WarpMask> = signal(warps),
        /// What blocked the warp is done: warp control, barrier, fence.
        pub resume_warps: Signal<In, WarpMask> = signal(warps),
        // From the instruction queues.
        /// The heads.
        pub heads: QueueHeads<In> = QueueHeads::new(cfg),
        /// The queue is emptied (SWaS: filled with NOPs).
        pub flush_warps: Signal<In, WarpMask> = signal(warps),
        // From issue.
        /// The warp that fires, or none.
        pub issue_fire_warps: Signal<In, WarpMask> = signal(warps),
        // From the operand stage and the collectors.
        /// The warp of an instruction with a destination in the operand stage, or none.
        pub operand_write_warps: Signal<In, WarpMask> = signal(warps),
        /// Its destination.
        pub operand_rd: Signal<In, Bits<6>>,
        /// The stage holds: nothing may fire.
        pub operand_stall: Signal<In, Bit>,
        /// An instruction of class mem finds its collector free.
        pub mem_free: Signal<In, Bit>,
        /// An instruction of class sfu finds its collector free.
        pub sfu_free: Signal<In, Bit>,
        // Of a slice with operand collectors.
        /// A collector of class sp is free.
        pub sp_free: Opt<Signal<In, Bit>> = Opt::new(cfg.collects(), Signal::default()),
        /// Warps with an instruction in a collector.
        pub collecting_warps: Opt<Signal<In, WarpMask>> = Opt::new(cfg.collects(), signal(warps)),
        // From the integer unit.
        /// A branch is not taken.
        pub passed_valid: Signal<In, Bit>,
        /// Its warp.
        pub passed_wid: Signal<In, WarpId> = signal(wid),
        /// A branch or jump was resolved in the cycle before.
        pub branch: Branch<In> = Branch::new(cfg),
        /// From commit: a register got its value.
        pub commit: Writeback<In> = Writeback::new(cfg),
        // In a core that shares warps.
        /// This slice's warps in others.
        pub absent: Opt<AbsentWarps<In>> = Opt::new(cfg.shares_warps(), AbsentWarps::new(cfg)),
        // To the scheduler.
        /// May issue but for `operand_stall`.
        pub ready_warps: Signal<Out, WarpMask> = signal(warps),
        /// May issue but for the unit.
        pub data_ready_warps: Signal<Out, WarpMask> = signal(warps),
        // To the counters and the trace.
        /// Why the others may not.
        pub stall_on: Stalls<Out> = Stalls::new(cfg),
        rows: Vec<HazardRow> = (0..warps).map(|_| HazardRow::new(cfg)).collect(),
        control_pending: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        collects: Const<Bit> = Const::new(cfg.collects()),
        away_warps: Opt<Reg<WarpMask>> = Opt::new(cfg.shares_warps(), Reg::<WarpMask>::width(warps)),
        away_rd: Opt<Pipe<Bits<6>>> = Opt::new(cfg.shares_warps(), Pipe::new()),
        away_number: Opt<Signal<Local, Bits<6>>> = Opt::new(cfg.shares_warps(), signal(cfg.register_bits())),
        away_mask: Opt<Signal<Local, Bits<64>>> = Opt::new(cfg.shares_warps(), signal(cfg.registers())),
        issuing_warps: Signal<Local, WarpMask> = signal(warps),
        first_warp: Const<WarpMask> = constant(warps, 1),
        raw, waw, resolved, candidates, unblocked, fetched, unit_busy: Signal<Local, WarpMask> = signal(warps),
        taken, freed: Signal<Local, Bits<6>> = signal(cfg.register_bits()),
        taken_mask, freed_mask: Signal<Local, Bits<64>> = signal(cfg.registers()),
    }
}

impl Logic for Scoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread operand_rd: without a floating-point unit there are 32 registers");
        comment!("unread away_rd: without a floating-point unit there are 32 registers");
        comment!("1. a register waits from issue until its last lane is written");
        self.issuing_warps.next = self.issue_fire_warps.val();
        if self.shares.val() {
            comment!("What issues through another slice is in the operand stage there.");
            self.issuing_warps.next = self.issue_fire_warps.val() | self.absent.departs_warps.val();
            self.away_warps.d.next = self.absent.departs_warps.val() & self.heads.write_warps.val();
            self.away_rd.d.next = self.absent.departs_rd.val();
            self.away_number.next = bit_cast::<6, 6>(self.away_rd.q.val());
            self.away_mask.next = bits::<64>(1) << self.away_number.val();
        }
        self.taken.next = bit_cast::<6, 6>(self.operand_rd.val());
        self.taken_mask.next = bits::<64>(1) << self.taken.val();
        self.freed.next = bit_cast::<6, 6>(self.commit.to_.rd.val());
        self.freed_mask.next = 0.into();
        if self.commit.valid.val() & self.commit.last.val() {
            self.freed_mask.next = bits::<64>(1) << self.freed.val();
        }
        for i in 0..self._warps {
            self.rows[i].taken_mask.next = 0.into();
            if self.operand_write_warps.val().get_bit(i) {
                self.rows[i].taken_mask.next = self.taken_mask.val();
            }
            if self.fpu.val() {
                self.rows[i].operand_valid.next = self.operand_write_warps.val().get_bit(i);
            }
            if self.shares.val() && self.fpu.val() {
                self.rows[i].operand_valid.next =
                    self.operand_write_warps.val().get_bit(i) | self.away_warps.q.val().get_bit(i);
            }
            if self.shares.val() && self.away_warps.q.val().get_bit(i) {
                self.rows[i].taken_mask.next = self.away_mask.val();
                if self.operand_write_warps.val().get_bit(i) {
                    self.rows[i].taken_mask.next = self.taken_mask.val() | self.away_mask.val();
                }
            }
            self.rows[i].freed_mask.next = 0.into();
            self.rows[i].freed_valid.next = false;
            if self.commit.to_.wid.val() == i.to_bits::<WID_BITS>() {
                self.rows[i].freed_mask.next = self.freed_mask.val();
                self.rows[i].freed_valid.next = self.commit.valid.val() & self.commit.last.val();
            }
            self.rows[i].freed_rd.next = self.commit.to_.rd.val();
            Wires::join(&mut self.heads.registers[i], &mut self.rows[i].head);
            Wires::join(&mut self.heads.following[i], &mut self.rows[i].following);
            self.rows[i].head_issues.next = self.issuing_warps.val().get_bit(i);
            self.rows[i].head_enters.next = self.heads.enters_warps.val().get_bit(i);
            self.rows[i].flush.next = self.flush_warps.val().get_bit(i);
            if self.fpu.val() {
                self.rows[i].head_drains.next = self.heads.drains_warps.val().get_bit(i);
            }
        }
        comment!("2. hazards of the heads");
        self.raw.next = 0.into();
        self.waw.next = 0.into();
        for i in 0..self._warps {
            self.raw.next = self.raw.val().replace_bit(i, self.rows[i].raw.val());
            self.waw.next = self.waw.val().replace_bit(i, self.rows[i].waw.val());
        }
        comment!("3. what blocks a warp: unresolved branch, jump, warp control, barrier, fence. A warp that starts is free of what its predecessor left behind.");
        self.resolved.next = self.resume_warps.val() | self.start_warps.val();
        if self.passed_valid.val() {
            self.resolved.next = self.resolved.val() | (self.first_warp.val() << self.passed_wid.val());
        }
        if self.branch.valid.val() & self.branch.taken.val() {
            self.resolved.next = self.resolved.val() | (self.first_warp.val() << self.branch.wid.val());
        }
        if self.shares.val() {
            self.resolved.next = self.resolved.val() | self.absent.resolved_warps.val();
        }
        self.control_pending.d.next = (self.control_pending.q.val() & !self.resolved.val())
            | (self.issuing_warps.val() & self.heads.blocks_warps.val());
        comment!("4. one cause for each warp that may not issue");
        self.candidates.next = self.own_warps.val() & self.active_warps.val();
        comment!("What follows a branch, warp control, barrier or fence may not be what the queue holds, or not yet.");
        self.stall_on.control.next =
            self.candidates.val() & (self.control_pending.q.val() | self.barrier_warps.val());
        self.unblocked.next =
            self.candidates.val() & !self.control_pending.q.val() & !self.barrier_warps.val();
        comment!("Nothing fetched yet: start, cache miss, taken branch.");
        self.stall_on.ibuffer.next = self.unblocked.val() & !self.heads.valid_warps.val();
        self.fetched.next = self.unblocked.val() & self.heads.valid_warps.val();
        comment!("A source is still on its way, or an older write to the destination is.");
        self.stall_on.scoreboard.next = self.fetched.val() & (self.raw.val() | self.waw.val());
        self.data_ready_warps.next = self.fetched.val() & !self.raw.val() & !self.waw.val();
        comment!("The instruction would have nowhere to go.");
        self.unit_busy.next = 0.into();
        if !self.mem_free.val() {
            self.unit_busy.next = self.heads.mem_warps.val();
        }
        if !self.sfu_free.val() {
            self.unit_busy.next = self.unit_busy.val() | self.heads.sfu_warps.val();
        }
        if self.collects.val() {
            comment!("A warp has one instruction among the operand collectors.");
            self.unit_busy.next = self.unit_busy.val() | self.collecting_warps.val();
            if !self.sp_free.val() {
                self.unit_busy.next =
                    self.unit_busy.val() | (!self.heads.mem_warps.val() & !self.heads.sfu_warps.val());
            }
        }
        if self.shares.val() {
            comment!("Or it would overtake what the warp has in another slice.");
            self.unit_busy.next = self.unit_busy.val()
                | (self.heads.mem_warps.val() & self.absent.mem_warps.val())
                | (self.heads.sfu_warps.val() & self.absent.sfu_warps.val());
        }
        if self.shares.val() && self.collects.val() {
            self.unit_busy.next = self.unit_busy.val() | self.absent.collecting_warps.val();
        }
        self.ready_warps.next = self.data_ready_warps.val() & !self.unit_busy.val();
        self.stall_on.pipeline.next = self.data_ready_warps.val() & self.unit_busy.val();
        if self.operand_stall.val() {
            self.stall_on.pipeline.next = self.data_ready_warps.val();
        }
    }
}
