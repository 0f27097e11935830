//! The register file of a slice.
use super::super::cell::{signal, signals, SyncRam};
use crate::comment;
use crate::config::CoreConfig;
use rust_hdl::prelude::*;

/// Registers of one warp: the integer ones.
pub(super) const REGISTERS: usize = 32;

/// 32 registers for every warp and lane, two read ports and one write port, in block RAM.
///
/// Ports, from issue: `issue_wid`, `issue_rs1`, `issue_rs2`, `read_enable` -> `rs1_data`, `rs2_data` a lane, one
/// cycle later and held while `read_enable` is 0; from commit `commit_valid`, `commit_wid`, `commit_rd`,
/// `commit_tmask` T (the lanes to write), `commit_data` a lane. Latency: one cycle; a write shows to reads of the
/// next cycle. Reset: none, so a register holds garbage until it is written. Invariants: register 0 is never
/// written (a destination of 0 counts as none) and its readers must put 0 in its place; the scoreboard keeps an
/// instruction that reads a register from issuing in the cycle in which it is written.
/// Critical path: block RAM access. Source: none. Mirror in the model: the warp's registers.
#[derive(LogicBlock, Default)]
pub struct RegisterFile {
    _threads: usize,
    /// Rising edge.
    pub clock: Signal<In, Clock>,
    // From issue.
    /// Warp to read for.
    pub issue_wid: Signal<In, Bits<5>>,
    /// First register.
    pub issue_rs1: Signal<In, Bits<5>>,
    /// Second register.
    pub issue_rs2: Signal<In, Bits<5>>,
    /// Read; else keep the data last read.
    pub read_enable: Signal<In, Bit>,
    // From commit.
    /// Write.
    pub commit_valid: Signal<In, Bit>,
    /// Warp to write for.
    pub commit_wid: Signal<In, Bits<5>>,
    /// Register to write.
    pub commit_rd: Signal<In, Bits<5>>,
    /// Lanes to write.
    pub commit_tmask: Signal<In, Bits<32>>,
    /// Data of each lane.
    pub commit_data: Vec<Signal<In, Bits<32>>>,
    // To the operand stage.
    /// First register of each lane.
    pub rs1_data: Vec<Signal<Out, Bits<32>>>,
    /// Second register of each lane.
    pub rs2_data: Vec<Signal<Out, Bits<32>>>,
    rs1_banks: Vec<SyncRam<32>>,
    rs2_banks: Vec<SyncRam<32>>,
    write_address: Signal<Local, Bits<16>>,
    rs1_address: Signal<Local, Bits<16>>,
    rs2_address: Signal<Local, Bits<16>>,
}

impl RegisterFile {
    /// The register file of one slice; it has room for all warps, of which the slice uses its own.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (threads, wid) = (cfg.threads, cfg.wid_bits());
        let banks = || (0..threads).map(|_| SyncRam::without_collisions(32, REGISTERS << wid)).collect();
        Self {
            _threads: threads,
            issue_wid: signal(wid),
            commit_wid: signal(wid),
            commit_tmask: signal(threads),
            commit_data: signals(threads, 32),
            rs1_data: signals(threads, 32),
            rs2_data: signals(threads, 32),
            rs1_banks: banks(),
            rs2_banks: banks(),
            write_address: signal(wid + 5),
            rs1_address: signal(wid + 5),
            rs2_address: signal(wid + 5),
            ..Self::default()
        }
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RegisterFile: 32 registers for every warp and lane, two read ports and one write port, in block RAM.");
        // 1. a warp's registers lie together
        self.rs1_address.next = (bit_cast::<16, 5>(self.issue_wid.val()) << bits::<4>(5))
            | bit_cast::<16, 5>(self.issue_rs1.val());
        self.rs2_address.next = (bit_cast::<16, 5>(self.issue_wid.val()) << bits::<4>(5))
            | bit_cast::<16, 5>(self.issue_rs2.val());
        self.write_address.next = (bit_cast::<16, 5>(self.commit_wid.val()) << bits::<4>(5))
            | bit_cast::<16, 5>(self.commit_rd.val());
        // 2. two copies of each lane's bank give two read ports
        for i in 0..self._threads {
            self.rs1_banks[i].clock.next = self.clock.val();
            self.rs1_banks[i].read_enable.next = self.read_enable.val();
            self.rs1_banks[i].read_address.next = self.rs1_address.val();
            self.rs1_banks[i].write_enable.next =
                self.commit_valid.val() & self.commit_tmask.val().get_bit(i);
            self.rs1_banks[i].write_address.next = self.write_address.val();
            self.rs1_banks[i].write_data.next = self.commit_data[i].val();
            self.rs1_data[i].next = self.rs1_banks[i].read_data.val();
            self.rs2_banks[i].clock.next = self.clock.val();
            self.rs2_banks[i].read_enable.next = self.read_enable.val();
            self.rs2_banks[i].read_address.next = self.rs2_address.val();
            self.rs2_banks[i].write_enable.next =
                self.commit_valid.val() & self.commit_tmask.val().get_bit(i);
            self.rs2_banks[i].write_address.next = self.write_address.val();
            self.rs2_banks[i].write_data.next = self.commit_data[i].val();
            self.rs2_data[i].next = self.rs2_banks[i].read_data.val();
        }
    }
}
