//! The registers of warps that issue through another slice.
use super::own_warps;
use crate::config::CoreConfig;
use crate::rtl::bundle::Wires;
use crate::rtl::bundles::{named_registers, OperandWords, RegisterWrite, Registers, Visit};
use crate::rtl::cell::{pipes, Const, Pipe};
use crate::rtl::stage::register_file::RegisterFile;
use crate::{comment, module};
use rust_hdl::prelude::*;

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
    {
        /// Who visits each slice.
        pub visits: Vec<Visit<In>> = (0..slices).map(|_| Visit::new(cfg)).collect(),
        /// Registers of what is granted there.
        pub registers: Vec<Registers<In>> = (0..slices).map(|_| Registers::new(cfg)).collect(),
        /// What each slice writes to its registers.
        pub commits: Vec<RegisterWrite<In>> = (0..slices).map(|_| RegisterWrite::new(cfg)).collect(),
        /// Registers of each slice's visitor.
        pub words: Vec<OperandWords<Out>> = (0..slices).map(|_| OperandWords::new(cfg)).collect(),
        files: Vec<RegisterFile> = (0..slices).map(|_| RegisterFile::new(cfg, false)).collect(),
        own_warps: Vec<Const<Bits<32>>> = own_warps(cfg),
        /// Of each slice, the one whose warp visits, one-hot: the visitor in its operand stage.
        owners: Vec<Pipe<Bits<32>>> = pipes(slices, slices),
        rs1: Signal<Local, Bits<6>>,
        rs2: Signal<Local, Bits<6>>,
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
        comment!("module GuestRegisters: A second copy of every slice's registers, read for its warps in other slices.");
        comment!("1. what is read: an OR, for one of a slice's warps visits at most");
        for y in 0..self._slices {
            self.files[y].read_enable.next = false;
            self.files[y].issue_wid.next = 0.into();
            self.rs1.next = 0.into();
            self.rs2.next = 0.into();
            self.files[y].issue_use_rs1.next = false;
            self.files[y].issue_use_rs2.next = false;
            if self.has_fpu.val() {
                self.files[y].issue_rs3.next = 0.into();
                self.files[y].issue_use_rs3.next = false;
            }
            for x in 0..self._slices {
                if (self.visits[x].oh.val() & self.own_warps[y].val()) != 0 {
                    self.files[y].read_enable.next =
                        self.files[y].read_enable.val() | self.visits[x].valid.val();
                    self.files[y].issue_wid.next = self.files[y].issue_wid.val() | self.visits[x].wid.val();
                    self.rs1.next = self.rs1.val() | self.registers[x].number[1].val();
                    self.rs2.next = self.rs2.val() | self.registers[x].number[2].val();
                    self.files[y].issue_use_rs1.next =
                        self.files[y].issue_use_rs1.val() | self.registers[x].used[1].val();
                    self.files[y].issue_use_rs2.next =
                        self.files[y].issue_use_rs2.val() | self.registers[x].used[2].val();
                    if self.has_fpu.val() {
                        self.files[y].issue_rs3.next =
                            self.files[y].issue_rs3.val() | self.registers[x].number[3].val();
                        self.files[y].issue_use_rs3.next =
                            self.files[y].issue_use_rs3.val() | self.registers[x].used[3].val();
                    }
                }
            }
            self.files[y].issue_rs1.next = bit_cast::<6, 6>(self.rs1.val());
            self.files[y].issue_rs2.next = bit_cast::<6, 6>(self.rs2.val());
            Wires::join(&mut self.commits[y].write_, &mut self.files[y].commit);
            for i in 0..self._threads {
                self.files[y].commit_data[i].next = self.commits[y].data[i].val();
            }
        }
        comment!("2. for whom");
        for x in 0..self._slices {
            self.owners[x].d.next = 0.into();
            for y in 0..self._slices {
                if (self.visits[x].oh.val() & self.own_warps[y].val()) != 0 {
                    self.owners[x].d.next = self.owners[x].d.val().replace_bit(y, true);
                }
            }
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
