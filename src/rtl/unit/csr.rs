//! Control and status registers.
use super::csr_numbers::CsrNumbers;
use super::cta_csr::CtaCsrs;
use super::float_state::FloatState;
use crate::prelude::*;
use isa::csr;
use spec::config::{LOCAL_MEM_BASE, MAX_WARPS};

/// `misa`: RV32 with I, M, user mode (U) and non-standard extensions (X), as Vortex says; F comes on top.
const MISA: u64 = 1 << 30 | 1 << 8 | 1 << 12 | 1 << 20 | 1 << 23;

module! {
    /// Reads and writes CSRs, and counts cycles and thread instructions.
    ///
    /// Ports: below. `value` is what was there before the write; lane i reads `value` + i if it is `per_lane`.
    /// Latency: combinational. Reset: counters 0; mscratch takes `start_arg` in the first cycle after reset, and when
    /// a grid is taken. Invariants: only mscratch and the floating-point state can be written, other writes are
    /// ignored; set and clear with an operand of 0 do not write. Critical path: number comparison, OR of the values.
    /// Source: docs/ISA.md, section 4. Mirror in the model: csr.
    pub struct CsrFile(cfg: &CoreConfig) [clock, reset]
    let (s, t) = (cfg.slices, cfg.threads);
    let fpu = usize::from(cfg.fpu);
    {
        /// The instruction is performed.
        pub access: Signal<In, Bit>,
        /// The instruction that waits, performed or not, accesses a CSR.
        pub active: Signal<In, Bit>,
        /// CSR number.
        pub number: Signal<In, Bits<12>>,
        /// The instruction, of whose minor opcode bits 1..0 are: 1 write, 2 set, 3 clear.
        pub head_: InstructionHead<In> = InstructionHead::new(cfg),
        /// What the CSRs show.
        pub core_: CsrSources<In> = CsrSources::new(cfg),
        /// What is written, set or cleared.
        pub operand: Signal<In, Bits<32>>,
        /// Value that is read.
        pub value: Signal<Out, Bits<32>>,
        /// The lane's number is part of the value.
        pub per_lane: Signal<Out, Bit>,
        /// The access is a fault.
        pub illegal: Signal<Out, Bit>,
        /// The number is that of a performance counter, or of a half of one.
        pub reads_counter: Signal<Out, Bit>,
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<Out, Bits<3>>> = signals(fpu * cfg.warps, 3),
        /// With a floating-point unit: the register belongs to it, and the warp waits for the access.
        pub resumes: Opt<Signal<Out, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// With a dispatcher: what each lane reads beside `value`.
        pub coordinate: Opt<Vec<Signal<Out, Bits<10>>>> = Opt::new(cfg.grid, signals(t, COORDINATE_BITS)),
        cta: Opt<CtaCsrs> = Opt::new(cfg.grid, CtaCsrs::new(cfg)),
        numbers: CsrNumbers = CsrNumbers::new(cfg),
        float_state: Vec<FloatState> = (0..fpu).map(|_| FloatState::new(cfg)).collect(),
        booted: Reg<Bit>,
        mscratch: Pipe<Bits<32>>,
        mcycle, minstret: Reg<Bits<44>>,
        issued_lanes: Vec<Reg<Bits<32>>> = regs(s, t),
        issued_threads: Reg<Bits<8>>,
        threads: Signal<Local, Bits<8>>,
        thread_bit: Signal<Local, Bits<1>>,
        written, scratch_operand, scratch_written: Signal<Local, Bits<32>>,
        starts: Signal<Local, Bit>,
        writes: Signal<Local, Bit>,
        yes: Const<Bit> = Const::new(true),
        hart_shift: Const<Bits<3>> = constant(3, clog2(t) as u64),
        thread_id: Const<Bits<12>> = number(csr::THREAD_ID),
        warp_id: Const<Bits<12>> = number(csr::WARP_ID),
        active_warps_number: Const<Bits<12>> = number(csr::ACTIVE_WARPS),
        upper_active_warps_number: Const<Bits<12>> = number(csr::UPPER_ACTIVE_WARPS),
        active_threads_number: Const<Bits<12>> = number(csr::ACTIVE_THREADS),
        num_threads: Const<Bits<12>> = number(csr::NUM_THREADS),
        num_warps: Const<Bits<12>> = number(csr::NUM_WARPS),
        num_cores: Const<Bits<12>> = number(csr::NUM_CORES),
        local_mem_base: Const<Bits<12>> = number(csr::LOCAL_MEM_BASE),
        mhartid: Const<Bits<12>> = number(csr::MHARTID),
        misa: Const<Bits<12>> = number(csr::MISA),
        mscratch_number: Const<Bits<12>> = number(csr::MSCRATCH),
        mcycle_number: Const<Bits<12>> = number(csr::MCYCLE),
        mcycleh_number: Const<Bits<12>> = number(csr::MCYCLEH),
        minstret_number: Const<Bits<12>> = number(csr::MINSTRET),
        minstreth_number: Const<Bits<12>> = number(csr::MINSTRETH),
        lanes_value: Const<Bits<32>> = constant(32, t as u64),
        warps_value: Const<Bits<32>> = constant(32, cfg.warps as u64),
        misa_value: Const<Bits<32>> = constant(32, MISA | (fpu as u64) << 5),
        local_mem_value: Const<Bits<32>> = constant(32, LOCAL_MEM_BASE.into()),
        _t: usize = t,
        _slices: usize = s,
        _fpu: usize = fpu,
        has_grid: Const<Bit> = Const::new(cfg.grid),
        has_upper_warps: Const<Bit> = Const::new(cfg.warps > 32),
    }
}

/// The number of a CSR as a constant of the hardware.
fn number(csr: u16) -> Const<Bits<12>> {
    constant(12, csr.into())
}

impl Logic for CsrFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread funct3: bit 2 is an immediate operand, which has been chosen before");
        comment!("unread written: mscratch, the only register as wide, has a value of its own");
        comment!("1. read: an OR, because at most one number matches; whatever is not listed here reads 0");
        self.value.next = 0.into();
        self.per_lane.next =
            (self.number.val() == self.thread_id.val()) | (self.number.val() == self.mhartid.val());
        if self.number.val() == self.warp_id.val() {
            self.value.next = self.value.val() | bit_cast::<32, WID_BITS>(self.head_.to_.wid.val());
        }
        if self.number.val() == self.mhartid.val() {
            self.value.next = self.value.val()
                | (bit_cast::<32, WID_BITS>(self.head_.to_.wid.val()) << self.hart_shift.val());
        }
        if self.number.val() == self.active_warps_number.val() {
            self.value.next = self.value.val() | bit_cast::<32, MAX_WARPS>(self.core_.active_warps.val());
        }
        if self.has_upper_warps.val() && self.number.val() == self.upper_active_warps_number.val() {
            self.value.next =
                self.value.val() | bit_cast::<32, MAX_WARPS>(self.core_.active_warps.val() >> 32);
        }
        if self.number.val() == self.active_threads_number.val() {
            self.value.next = self.value.val() | bit_cast::<32, 32>(self.head_.to_.tmask.val());
        }
        if self.number.val() == self.num_threads.val() {
            self.value.next = self.value.val() | self.lanes_value.val();
        }
        if self.number.val() == self.num_warps.val() {
            self.value.next = self.value.val() | self.warps_value.val();
        }
        if self.number.val() == self.num_cores.val() {
            self.value.next = self.value.val() | 1;
        }
        if self.number.val() == self.local_mem_base.val() {
            self.value.next = self.value.val() | self.local_mem_value.val();
        }
        if self.number.val() == self.misa.val() {
            self.value.next = self.value.val() | self.misa_value.val();
        }
        if self.number.val() == self.mscratch_number.val() {
            self.value.next = self.value.val() | self.mscratch.q.val();
        }
        if self.number.val() == self.mcycle_number.val() {
            self.value.next = self.value.val() | self.mcycle.q.val().get_bits::<32>(0);
        }
        if self.number.val() == self.mcycleh_number.val() {
            self.value.next = self.value.val() | bit_cast::<32, 12>(self.mcycle.q.val().get_bits::<12>(32));
        }
        if self.number.val() == self.minstret_number.val() {
            self.value.next = self.value.val() | self.minstret.q.val().get_bits::<32>(0);
        }
        if self.number.val() == self.minstreth_number.val() {
            self.value.next = self.value.val() | bit_cast::<32, 12>(self.minstret.q.val().get_bits::<12>(32));
        }
        for k in 0..self._fpu {
            self.value.next = self.value.val() | self.float_state[k].value.val();
        }
        if self.has_grid.val() {
            self.cta.number.next = self.number.val();
            self.cta.wid.next = self.head_.to_.wid.val();
            self.cta.start_pc.next = self.core_.start_pc.val();
            Wires::join(&mut self.core_.grid, &mut self.cta.grid);
            self.value.next = self.value.val() | self.cta.value.val();
            Data::join(&mut self.cta.coordinate, &mut self.coordinate);
        }
        comment!("mhpmcounter3 to 31 are B03 to B1F, their high halves B83 to B9F; the value comes from elsewhere.");
        self.reads_counter.next =
            (self.number.val().get_bits::<7>(5) == 0x58) | (self.number.val().get_bits::<7>(5) == 0x5C);
        comment!("2. write");
        self.writes.next = (self.head_.funct3.val().get_bits::<2>(0) == 1) | (self.operand.val() != 0);
        self.numbers.active.next = self.active.val();
        self.numbers.number.next = self.number.val();
        self.illegal.next =
            !self.numbers.known.val() | (self.writes.val() & (self.number.val().get_bits::<2>(10) == 3));
        self.written.next = self.operand.val();
        if self.head_.funct3.val().get_bits::<2>(0) == 2 {
            self.written.next = self.value.val() | self.operand.val();
        } else if self.head_.funct3.val().get_bits::<2>(0) == 3 {
            self.written.next = self.value.val() & !self.operand.val();
        }
        self.booted.d.next = self.yes.val();
        self.starts.next = !self.booted.q.val();
        if self.has_grid.val() {
            self.starts.next = !self.booted.q.val() | self.core_.launch.val();
        }
        comment!("A start puts its argument in the operand's place, so that it needs no choice of its own behind the operation.");
        self.scratch_operand.next = self.operand.val();
        if self.starts.val() {
            self.scratch_operand.next = self.core_.start_arg.val();
        }
        comment!(
            "mscratch is written from its own value, since the one that is read has passed all the numbers."
        );
        self.scratch_written.next = self.scratch_operand.val();
        if !self.starts.val() & (self.head_.funct3.val().get_bits::<2>(0) == 2) {
            self.scratch_written.next = self.mscratch.q.val() | self.scratch_operand.val();
        }
        if !self.starts.val() & (self.head_.funct3.val().get_bits::<2>(0) == 3) {
            self.scratch_written.next = self.mscratch.q.val() & !self.scratch_operand.val();
        }
        if self.starts.val()
            | (self.access.val() & self.writes.val() & (self.number.val() == self.mscratch_number.val()))
        {
            self.mscratch.d.next = self.scratch_written.val();
        }
        for k in 0..self._fpu {
            self.float_state[k].number.next = self.number.val();
            self.float_state[k].wid.next = self.head_.to_.wid.val();
            self.float_state[k].write.next = self.access.val() & self.writes.val();
            self.float_state[k].written.next = self.written.val().get_bits::<8>(0);
            self.resumes.next = self.float_state[k].selected.val();
            Data::join(&mut self.float_state[k].frm, &mut self.frm);
            Data::join(&mut self.core_.commit_wid, &mut self.float_state[k].commit_wid);
            Data::join(&mut self.core_.commit_flags, &mut self.float_state[k].commit_flags);
        }
        comment!("3. count");
        if self.core_.running.val() {
            self.mcycle.d.next = self.mcycle.q.val() + 1;
        }
        self.threads.next = 0.into();
        for s in 0..self._slices {
            self.issued_lanes[s].d.next = 0.into();
            if self.core_.issue_fire[s].val() {
                self.issued_lanes[s].d.next = self.core_.issue_tmask[s].val();
            }
            for i in 0..self._t {
                self.thread_bit.next = self.issued_lanes[s].q.val().get_bits::<1>(i);
                self.threads.next = self.threads.val() + bit_cast::<8, 1>(self.thread_bit.val());
            }
        }
        self.issued_threads.d.next = self.threads.val();
        self.minstret.d.next = self.minstret.q.val() + bit_cast::<44, 8>(self.issued_threads.q.val());
    }
}
