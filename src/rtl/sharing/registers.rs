//! The registers of warps that issue through another slice.
use crate::prelude::*;
use crate::stage::register_file::RegisterFile;

module! {
    /// A second copy of every slice's registers, read for its warps in other slices.
    ///
    /// Ports: below. Latency: one cycle, as the slice's own copy. Reset: none. Invariants: one shared warp of a
    /// slice's warps a cycle; the operand stage that gets them moves on with them, for a collector had room. Critical
    /// path: register number, block RAM; block RAM, choice of the slice. Source: ours; KAWS 3 does not say how.
    /// Mirror in the model: the warp's registers.
    pub struct GuestRegisters(cfg: &CoreConfig) [clock]
    let slices = cfg.slices;
    let at_once = CoreConfig { register_banks: 0, ..cfg.clone() };
    {
        /// Who visits each slice.
        pub visits: Vec<Visit<In>> = (0..slices).map(|_| Visit::new(cfg)).collect(),
        /// Registers of what is granted there.
        pub registers: Vec<Registers<In>> = (0..slices).map(|_| Registers::new(cfg)).collect(),
        /// What each slice writes to its registers.
        pub commits: Vec<RegisterWrite<In>> = (0..slices).map(|_| RegisterWrite::new(cfg)).collect(),
        /// Registers of each slice's shared warp.
        pub words: Vec<OperandWords<Out>> = (0..slices).map(|_| OperandWords::new(cfg)).collect(),
        // All read at once, whatever the slices' own copies are.
        files: Vec<RegisterFile> = (0..slices).map(|_| RegisterFile::new(&at_once, false)).collect(),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        /// Of each slice, the one whose warp visits, one-hot: the shared warp in its operand stage.
        owners: Vec<Pipe<Bits<32>>> = pipes(slices, slices),
        owner: Signal<Local, Bits<32>> = signal(slices),
        // Of a slice's warp that visits, if one does.
        valid: Signal<Local, Bit>,
        wid: Signal<Local, WarpId> = signal(cfg.wid_bits()),
        read: Registers<Local> = Registers::new(cfg),
        _slices: usize = slices,
        nothing: Registers<Zero> = Registers::new(cfg),
        no_words: OperandWords<Zero> = OperandWords::new(cfg),
    }
}

impl Logic for GuestRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. what is read: an OR, for one of a slice's warps visits at most");
        for y in 0..self._slices {
            self.valid.next = false;
            self.wid.next = 0.into();
            Data::join(&mut self.nothing, &mut self.read);
            for x in 0..self._slices {
                if (self.visits[x].oh.val() & self.own_warps[y].val()) != 0 {
                    self.valid.next = self.valid.val() | self.visits[x].valid.val();
                    self.wid.next = self.wid.val() | self.visits[x].wid.val();
                    Either::join(&mut self.registers[x], &mut self.read);
                }
            }
            self.files[y].read_enable.next = self.valid.val();
            self.files[y].issue_wid.next = self.wid.val();
            Data::join(&mut self.read, &mut self.files[y].registers);
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
            Data::join(&mut self.no_words, &mut self.words[x]);
            for y in 0..self._slices {
                if self.owners[x].q.val().get_bit(y) {
                    Either::join(&mut self.files[y].words, &mut self.words[x]);
                }
            }
        }
    }
}
