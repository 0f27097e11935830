//! The registers of warps that issue through another slice.
use crate::rtl::bundles::named_registers;
use crate::rtl::prelude::*;
use crate::rtl::stage::register_file::RegisterFile;

module! {
    /// A second copy of every slice's registers, read for its warps in other slices.
    ///
    /// Ports, of each slice: who `visits`, the `registers` of what is granted in it, what it writes to its registers (`commits`); to its
    /// operand stage the `words` of a visitor. Latency: one cycle, as the slice's own copy. Reset: none. Invariants: one visitor
    /// of a slice's warps a cycle; the operand stage that gets them moves on with them, for a collector had room.
    /// Critical path: register number, block RAM; block RAM, choice of the slice.
    /// Source: ours; KAWS 3 does not say how. Mirror in the model: the warp's registers.
    pub struct GuestRegisters(cfg: &CoreConfig) [clock]
    let (threads, slices, fpu) = (cfg.threads, cfg.slices, usize::from(cfg.fpu));
    let at_once = CoreConfig { register_banks: 0, ..cfg.clone() };
    {
        /// Who visits each slice.
        pub visits: Vec<Visit<In>> = (0..slices).map(|_| Visit::new(cfg)).collect(),
        /// Registers of what is granted there.
        pub registers: Vec<Registers<In>> = (0..slices).map(|_| Registers::new(cfg)).collect(),
        /// What each slice writes to its registers.
        pub commits: Vec<RegisterWrite<In>> = (0..slices).map(|_| RegisterWrite::new(cfg)).collect(),
        /// Registers of each slice's visitor.
        pub words: Vec<OperandWords<Out>> = (0..slices).map(|_| OperandWords::new(cfg)).collect(),
        // All read at once, whatever the slices' own copies are.
        files: Vec<RegisterFile> = (0..slices).map(|_| RegisterFile::new(&at_once, false)).collect(),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        /// Of each slice, the one whose warp visits, one-hot: the visitor in its operand stage.
        owners: Vec<Pipe<Bits<32>>> = pipes(slices, slices),
        owner: Signal<Local, Bits<32>> = signal(slices),
        // Of a slice's warp that visits, if one does.
        valid: Signal<Local, Bit>,
        wid: Signal<Local, WarpId> = signal(cfg.wid_bits()),
        read: Registers<Local> = Registers::new(cfg),
        rs1, rs2: Signal<Local, Bits<6>>,
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        _slices: usize = slices,
        _threads: usize = threads,
        _float_threads: usize = fpu * threads,
        _named: usize = named_registers(cfg),
    }
}

impl Logic for GuestRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread rs1: bit 5 names the floating-point registers");
        comment!("unread rs2: bit 5 names the floating-point registers");
        comment!("1. what is read: an OR, for one of a slice's warps visits at most");
        for y in 0..self._slices {
            self.valid.next = false;
            self.wid.next = 0.into();
            for n in 0..self._named {
                self.read.number[n].next = 0.into();
                self.read.used[n].next = false;
            }
            for x in 0..self._slices {
                if (self.visits[x].oh.val() & self.own_warps[y].val()) != 0 {
                    self.valid.next = self.valid.val() | self.visits[x].valid.val();
                    self.wid.next = self.wid.val() | self.visits[x].wid.val();
                    for n in 0..self._named {
                        self.read.number[n].next =
                            self.read.number[n].val() | self.registers[x].number[n].val();
                        self.read.used[n].next = self.read.used[n].val() | self.registers[x].used[n].val();
                    }
                }
            }
            self.files[y].read_enable.next = self.valid.val();
            self.files[y].issue_wid.next = self.wid.val();
            self.rs1.next = self.read.number[1].val();
            self.rs2.next = self.read.number[2].val();
            self.files[y].issue_rs1.next = bit_cast::<6, 6>(self.rs1.val());
            self.files[y].issue_rs2.next = bit_cast::<6, 6>(self.rs2.val());
            self.files[y].issue_use_rs1.next = self.read.used[1].val();
            self.files[y].issue_use_rs2.next = self.read.used[2].val();
            if self.has_fpu.val() {
                self.files[y].issue_rs3.next = self.read.number[3].val();
                self.files[y].issue_use_rs3.next = self.read.used[3].val();
            }
            Wires::join(&mut self.commits[y], &mut self.files[y].commit);
        }
        comment!("2. for whom");
        for x in 0..self._slices {
            self.owner.next = 0.into();
            for y in 0..self._slices {
                if (self.visits[x].oh.val() & self.own_warps[y].val()) != 0 {
                    self.owner.next = self.owner.val().replace_bit(y, true);
                }
            }
            self.owners[x].d.next = self.owner.val();
            for i in 0..self._threads {
                self.words[x].rs1[i].next = 0.into();
                self.words[x].rs2[i].next = 0.into();
                for y in 0..self._slices {
                    if self.owners[x].q.val().get_bit(y) {
                        self.words[x].rs1[i].next =
                            self.words[x].rs1[i].val() | self.files[y].rs1_data[i].val();
                        self.words[x].rs2[i].next =
                            self.words[x].rs2[i].val() | self.files[y].rs2_data[i].val();
                    }
                }
            }
            for i in 0..self._float_threads {
                self.words[x].rs3[i].next = 0.into();
                for y in 0..self._slices {
                    if self.owners[x].q.val().get_bit(y) {
                        self.words[x].rs3[i].next =
                            self.words[x].rs3[i].val() | self.files[y].rs3_data[i].val();
                    }
                }
            }
        }
    }
}
