//! The register file of a slice.
use crate::rtl::prelude::*;

module! {
    /// The registers of every warp and lane, two or three read ports and one write port, in block RAM.
    ///
    /// A lane has 32 registers and two read ports, with a floating-point unit 64 and three.
    /// Ports, from issue: `issue_wid`, `issue_rs1`, `issue_rs2`, `issue_rs3`, `issue_use_*`, `read_enable` -> `rs1_data`, `rs2_data`,
    /// `rs3_data` a lane, one cycle later (0 from the first two ports if they are not used) and held while `read_enable` is 0; from commit `commit`.
    /// Latency: one cycle; a write shows to reads of the
    /// next cycle. Reset: none, so a register holds garbage until it is written. Invariants: what register 0 holds means
    /// nothing, who wants it does not use a port; the scoreboard keeps an instruction that reads a register from issuing in the cycle in which it is written.
    /// Where operand collectors read the registers, these are in banks before them, and this is the register of the operand stage for
    /// what they have `collected`. Critical path: block RAM access. Source: none. Mirror in the model: the warp's registers.
    pub struct RegisterFile(cfg: &CoreConfig, visited: bool) [clock]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    let (number, fpu) = (cfg.register_bits(), usize::from(cfg.fpu));
    let words = cfg.registers() << wid;
    let own_threads = if cfg.collects() { 0 } else { threads };
    let banks = || (0..own_threads).map(|_| SyncRam::clearable(32, words)).collect();
    {
        _own_threads: usize = own_threads,
        _own_float_threads: usize = fpu * own_threads,
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        // From issue.
        /// Warp to read for.
        pub issue_wid: Signal<In, WarpId> = signal(wid),
        /// First register.
        pub issue_rs1: Signal<In, Bits<6>> = signal(number),
        /// Second register.
        pub issue_rs2: Signal<In, Bits<6>> = signal(number),
        /// The first register is read; else it is 0.
        pub issue_use_rs1: Signal<In, Bit>,
        /// The second register is read; else it is 0.
        pub issue_use_rs2: Signal<In, Bit>,
        /// With a floating-point unit: third register.
        pub issue_rs3: Opt<Signal<In, Bits<6>>> = Opt::new(cfg.fpu, signal(number)),
        /// With a floating-point unit: the third register is read; else its port keeps its data.
        pub issue_use_rs3: Opt<Signal<In, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// Read; else keep the data last read.
        pub read_enable: Signal<In, Bit>,
        // From commit.
        /// Which register of which warp and lanes to write.
        pub commit: RegisterWrite<In> = RegisterWrite::new(cfg),
        // Of a slice that shares warps (`visited`).
        /// What issues is a warp of another slice, whose registers come from there.
        pub visit: Opt<Signal<In, Bit>> = Opt::new(visited, Signal::default()),
        /// Its registers, in the cycle after.
        pub visitor: Opt<OperandWords<In>> = Opt::new(visited, OperandWords::new(cfg)),
        // Of a slice with operand collectors.
        /// The words of what they hand over.
        pub collected: Opt<OperandWords<In>> = Opt::new(cfg.collects(), OperandWords::new(cfg)),
        // To the operand stage.
        /// First register of each lane.
        pub rs1_data: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// Second register of each lane.
        pub rs2_data: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// With a floating-point unit: third register of each lane.
        pub rs3_data: Vec<Signal<Out, Bits<32>>> = signals(fpu * threads, 32),
        rs1_banks, rs2_banks: Vec<SyncRam<32>> = banks(),
        rs3_banks: Vec<SyncRam<32>> = (0..fpu * own_threads).map(|_| SyncRam::without_collisions(32, words)).collect(),
        is_visitor: Opt<Pipe<Bit>> = Opt::new(visited, Pipe::new()),
        words: Opt<OperandWords<Held>> = Opt::new(cfg.collects(), OperandWords::new(cfg)),
        collects: Const<Bit> = Const::new(cfg.collects()),
        has_visitors: Const<Bit> = Const::new(visited),
        written: Signal<Local, Bits<6>> = signal(number),
        clear_rs1, clear_rs2: Signal<Local, Bit>,
        write_address, rs1_address, rs2_address: Signal<Local, Bits<16>> = signal(wid + number),
        rs3_address: Opt<Signal<Local, Bits<16>>> = Opt::new(cfg.fpu, signal(wid + number)),
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clear_rs1: operand collectors have read the registers before");
        comment!("unread clear_rs2: operand collectors have read the registers before");
        comment!("unread rs1_address: operand collectors have read the registers before");
        comment!("unread rs2_address: operand collectors have read the registers before");
        comment!("unread write_address: operand collectors have read the registers before");
        comment!("unread commit_data: operand collectors have read the registers before");
        comment!("unread rs3_address: operand collectors have read the registers before");
        comment!("unread issue_use_rs3: operand collectors have read the registers before");
        comment!("unread commit_rd: bit 5 names the floating-point registers");
        comment!("1. a warp's registers lie together");
        self.written.next = bit_cast::<6, 6>(self.commit.write_.rd.val());
        self.rs1_address.next = (bit_cast::<16, WID_BITS>(self.issue_wid.val()) << bits::<4>(5))
            | bit_cast::<16, 6>(self.issue_rs1.val());
        self.rs2_address.next = (bit_cast::<16, WID_BITS>(self.issue_wid.val()) << bits::<4>(5))
            | bit_cast::<16, 6>(self.issue_rs2.val());
        self.write_address.next = (bit_cast::<16, WID_BITS>(self.commit.write_.wid.val()) << bits::<4>(5))
            | bit_cast::<16, 6>(self.written.val());
        if self.has_fpu.val() {
            self.rs1_address.next = (bit_cast::<16, WID_BITS>(self.issue_wid.val()) << bits::<4>(6))
                | bit_cast::<16, 6>(self.issue_rs1.val());
            self.rs2_address.next = (bit_cast::<16, WID_BITS>(self.issue_wid.val()) << bits::<4>(6))
                | bit_cast::<16, 6>(self.issue_rs2.val());
            self.write_address.next = (bit_cast::<16, WID_BITS>(self.commit.write_.wid.val())
                << bits::<4>(6))
                | bit_cast::<16, 6>(self.written.val());
            self.rs3_address.next = bit_cast::<16, WID_BITS>(self.issue_wid.val()) << bits::<4>(6);
            for b in 0..6 {
                self.rs3_address.next =
                    self.rs3_address.val().replace_bit(b, self.issue_rs3.val().get_bit(b));
            }
        }
        comment!("2. a copy of each lane's bank for each read port; what is not read is 0");
        self.clear_rs1.next = self.read_enable.val() & !self.issue_use_rs1.val();
        self.clear_rs2.next = self.read_enable.val() & !self.issue_use_rs2.val();
        for i in 0..self._own_threads {
            self.rs1_banks[i].read_enable.next = self.read_enable.val();
            self.rs1_banks[i].clear[0].next = self.clear_rs1.val();
            self.rs1_banks[i].read_address.next = self.rs1_address.val();
            self.rs1_banks[i].write_enable.next =
                self.commit.write_.valid.val() & self.commit.write_.tmask.val().get_bit(i);
            self.rs1_banks[i].write_address.next = self.write_address.val();
            self.rs1_banks[i].write_data.next = self.commit.data[i].val();
            self.rs1_data[i].next = self.rs1_banks[i].read_data.val();
            self.rs2_banks[i].read_enable.next = self.read_enable.val();
            self.rs2_banks[i].clear[0].next = self.clear_rs2.val();
            self.rs2_banks[i].read_address.next = self.rs2_address.val();
            self.rs2_banks[i].write_enable.next =
                self.commit.write_.valid.val() & self.commit.write_.tmask.val().get_bit(i);
            self.rs2_banks[i].write_address.next = self.write_address.val();
            self.rs2_banks[i].write_data.next = self.commit.data[i].val();
            self.rs2_data[i].next = self.rs2_banks[i].read_data.val();
        }
        for i in 0..self._own_float_threads {
            self.rs3_banks[i].write_enable.next =
                self.commit.write_.valid.val() & self.commit.write_.tmask.val().get_bit(i);
            self.rs3_banks[i].write_address.next = self.write_address.val();
            self.rs3_banks[i].write_data.next = self.commit.data[i].val();
            self.rs3_data[i].next = self.rs3_banks[i].read_data.val();
            if self.has_fpu.val() {
                self.rs3_banks[i].read_enable.next = self.read_enable.val() & self.issue_use_rs3.val();
                self.rs3_banks[i].read_address.next = self.rs3_address.val();
            }
        }
        if self.collects.val() {
            comment!("The words that the operand collectors hand over.");
            if self.read_enable.val() {
                Data::join(&mut self.collected, &mut self.words);
            }
            Data::join(&mut self.words.rs1, &mut self.rs1_data);
            Data::join(&mut self.words.rs2, &mut self.rs2_data);
            Data::join(&mut self.words.rs3, &mut self.rs3_data);
        }
        if self.has_visitors.val() {
            comment!("3. the registers of a visitor");
            if self.read_enable.val() {
                self.is_visitor.d.next = self.visit.val();
            }
            if self.is_visitor.q.val() {
                Data::join(&mut self.visitor.rs1, &mut self.rs1_data);
                Data::join(&mut self.visitor.rs2, &mut self.rs2_data);
                Data::join(&mut self.visitor.rs3, &mut self.rs3_data);
            }
        }
    }
}
