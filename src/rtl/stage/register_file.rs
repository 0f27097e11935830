//! The register file of a slice.
use crate::bundles::sources;
use crate::prelude::*;

module! {
    /// The registers of every warp and lane, two or three read ports and one write port, in block RAM.
    ///
    /// A lane has 32 registers and two read ports, with a floating-point unit 64 and three, with atomic operations three. Ports: below; `words`
    /// come one cycle later and are held while `read_enable` is 0. Latency: one cycle; a write shows to reads of the
    /// next cycle. Reset: none, so a register holds garbage until it is written. Invariants: what register 0 holds
    /// means nothing, who wants it does not use a port; the scoreboard keeps an instruction that reads a register
    /// from issuing in the cycle in which it is written. Where operand collectors read the registers, these are in
    /// banks before them, and this is the register of the operand stage for what they have `collected`. Critical
    /// path: block RAM access. Source: none. Mirror in the model: the warp's registers.
    pub struct RegisterFile(cfg: &CoreConfig, visited: bool) [clock]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    let (number, third) = (cfg.register_bits(), usize::from(cfg.reads_three()));
    let words = cfg.registers() << wid;
    let own_threads = if cfg.collects() { 0 } else { threads };
    let banks = || (0..own_threads).map(|_| SyncRam::clearable(32, words)).collect();
    {
        _own_threads: usize = own_threads,
        _own_third_threads: usize = third * own_threads,
        // From issue.
        /// Warp to read for.
        pub issue_wid: Signal<In, WarpId> = signal(wid),
        /// What it reads. A source that is not used is 0; the third one keeps its data.
        pub registers: Registers<In> = Registers::new(cfg),
        /// Read; else keep the data last read.
        pub read_enable: Signal<In, Bit>,
        // From commit.
        /// Which register of which warp and lanes to write.
        pub commit: RegisterWrite<In> = RegisterWrite::new(cfg),
        // Of a slice that shares warps (`visited`).
        /// What issues is a warp of another slice, whose registers come from there.
        pub visit: Opt<Signal<In, Bit>> = Opt::new(visited, Signal::default()),
        /// Its registers, in the cycle after.
        pub shared_words: Opt<OperandWords<In>> = Opt::new(visited, OperandWords::new(cfg)),
        // Of a slice with operand collectors.
        /// The words of what they hand over.
        pub collected: Opt<OperandWords<In>> = Opt::new(cfg.collects(), OperandWords::new(cfg)),
        // To the operand stage.
        /// What was read.
        pub words: OperandWords<Out> = OperandWords::new(cfg),
        rs1_banks, rs2_banks: Vec<SyncRam<32>> = banks(),
        rs3_banks: Vec<SyncRam<32>> = (0..third * own_threads).map(|_| SyncRam::without_collisions(32, words)).collect(),
        is_shared: Opt<Pipe<Bit>> = Opt::new(visited, Pipe::new()),
        kept: Opt<OperandWords<Registered>> = Opt::new(cfg.collects(), OperandWords::new(cfg)),
        collects: Const<Bit> = Const::new(cfg.collects()),
        has_shared: Const<Bit> = Const::new(visited),
        written: Signal<Local, Bits<6>> = signal(number),
        clear_rs1, clear_rs2: Signal<Local, Bit>,
        write_address: Signal<Local, Bits<16>> = signal(wid + number),
        named: Signal<Local, Bits<6>>,
        source: Signal<Local, Bits<6>> = signal(number),
        /// Where each source is: the warp, then the register's number.
        address: Vec<Signal<Local, Bits<16>>> = signals(sources(cfg), wid + number),
        /// Bits of a register's number, which the warp is shifted over.
        shift: Const<Bits<4>> = constant(4, number as u64),
        _sources: usize = sources(cfg),
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clear_rs1: operand collectors have read the registers before");
        comment!("unread clear_rs2: operand collectors have read the registers before");
        comment!("unread address: operand collectors have read the registers before");
        comment!("unread write_address: operand collectors have read the registers before");
        comment!("unread commit_data: operand collectors have read the registers before");
        comment!("unread commit_rd: bit 5 names the floating-point registers");
        comment!("unread registers_number: the destination is not read");
        comment!("unread registers_used: the destination is not read");
        comment!("unread named: bit 5 names the floating-point registers");
        comment!("1. a warp's registers lie together");
        self.written.next = bit_cast::<6, 6>(self.commit.write_.to_.rd.val());
        self.write_address.next = (bit_cast::<16, WID_BITS>(self.commit.write_.to_.wid.val())
            << self.shift.val())
            | bit_cast::<16, 6>(self.written.val());
        for p in 0..self._sources {
            self.named.next = self.registers.number[p + 1].val();
            self.source.next = bit_cast::<6, 6>(self.named.val());
            self.address[p].next = (bit_cast::<16, WID_BITS>(self.issue_wid.val()) << self.shift.val())
                | bit_cast::<16, 6>(self.source.val());
        }
        comment!("2. a copy of each lane's bank for each read port; what is not read is 0");
        self.clear_rs1.next = self.read_enable.val() & !self.registers.used[1].val();
        self.clear_rs2.next = self.read_enable.val() & !self.registers.used[2].val();
        for i in 0..self._own_threads {
            self.rs1_banks[i].read_enable.next = self.read_enable.val();
            self.rs1_banks[i].clear[0].next = self.clear_rs1.val();
            self.rs1_banks[i].read_address.next = self.address[0].val();
            self.rs1_banks[i].write_enable.next =
                self.commit.write_.valid.val() & self.commit.write_.to_.tmask.val().get_bit(i);
            self.rs1_banks[i].write_address.next = self.write_address.val();
            self.rs1_banks[i].write_data.next = self.commit.data[i].val();
            self.words.rs1[i].next = self.rs1_banks[i].read_data.val();
            self.rs2_banks[i].read_enable.next = self.read_enable.val();
            self.rs2_banks[i].clear[0].next = self.clear_rs2.val();
            self.rs2_banks[i].read_address.next = self.address[1].val();
            self.rs2_banks[i].write_enable.next =
                self.commit.write_.valid.val() & self.commit.write_.to_.tmask.val().get_bit(i);
            self.rs2_banks[i].write_address.next = self.write_address.val();
            self.rs2_banks[i].write_data.next = self.commit.data[i].val();
            self.words.rs2[i].next = self.rs2_banks[i].read_data.val();
        }
        for i in 0..self._own_third_threads {
            self.rs3_banks[i].read_enable.next = self.read_enable.val() & self.registers.used[3].val();
            self.rs3_banks[i].read_address.next = self.address[2].val();
            self.rs3_banks[i].write_enable.next =
                self.commit.write_.valid.val() & self.commit.write_.to_.tmask.val().get_bit(i);
            self.rs3_banks[i].write_address.next = self.write_address.val();
            self.rs3_banks[i].write_data.next = self.commit.data[i].val();
            self.words.rs3[i].next = self.rs3_banks[i].read_data.val();
        }
        if self.collects.val() {
            comment!("The words that the operand collectors hand over.");
            if self.read_enable.val() {
                Data::join(&mut self.collected, &mut self.kept);
            }
            Data::join(&mut self.kept, &mut self.words);
        }
        if self.has_shared.val() {
            comment!("3. the registers of a shared warp");
            if self.read_enable.val() {
                self.is_shared.d.next = self.visit.val();
            }
            if self.is_shared.q.val() {
                Data::join(&mut self.shared_words, &mut self.words);
            }
        }
    }
}
