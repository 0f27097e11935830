//! The collector in front of the load-store unit.
use super::super::super::cell::{signal, signals, LutRam, Reg};
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

/// Instructions that the queue holds.
const DEPTH: usize = 4;
/// Bits of what does not depend on the size of the core: offset 12, address 32, destination 6, minor opcode 3, four flags.
const WORD: usize = 57;

module! {
    /// A queue for the class `mem`, in order: loads, stores and fences.
    ///
    /// Whether there is room depends on registers alone, so that a busy memory reaches the scheduler a cycle later and the
    /// scheduler's path is short; with four entries that never costs an issue slot while memory keeps up.
    /// Ports, from the operand stage: `operand_valid` (an instruction of this class is there) and its fields
    /// `operand_*`; from the load-store unit `mem_ready` (the first entry leaves). To the scoreboard `mem_free`; to the
    /// load-store unit `mem_valid` and the first entry `mem_*`. Latency: one cycle. Reset: empty. Invariants: the
    /// scoreboard issues this class only while `mem_free`, so what arrives always finds room.
    /// Critical path: pointer, one LUT RAM access. Source: none. Mirror in the model: none (timing only).
    pub struct MemCollector(cfg: &CoreConfig) [clock, reset]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    {
        _threads: usize = threads,
        // From the operand stage.
        /// An instruction of this class is in the operand stage.
        pub operand_valid: Signal<In, Bit>,
        /// Its warp.
        pub operand_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub operand_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its address.
        pub operand_pc: Signal<In, Bits<32>>,
        /// Destination.
        pub operand_rd: Signal<In, Bits<6>>,
        /// There is a destination.
        pub operand_use_rd: Signal<In, Bit>,
        /// Size and sign of the access.
        pub operand_funct3: Signal<In, Bits<3>>,
        /// It is a store.
        pub operand_store: Signal<In, Bit>,
        /// It is FENCE.
        pub operand_fence: Signal<In, Bit>,
        /// It is FENCE.I.
        pub operand_fence_i: Signal<In, Bit>,
        /// Address offset.
        pub operand_imm: Signal<In, Bits<32>>,
        /// Base address of each lane.
        pub operand_rs1: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Store data of each lane.
        pub operand_rs2: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        // From the load-store unit.
        /// It takes the entry this cycle.
        pub mem_ready: Signal<In, Bit>,
        // To the scoreboard.
        /// What issues in this cycle will find room.
        pub mem_free: Signal<Out, Bit>,
        // To the load-store unit.
        /// There is an entry.
        pub mem_valid: Signal<Out, Bit>,
        /// Its warp.
        pub mem_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub mem_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// Its address.
        pub mem_pc: Signal<Out, Bits<32>>,
        /// Destination.
        pub mem_rd: Signal<Out, Bits<6>>,
        /// There is a destination.
        pub mem_use_rd: Signal<Out, Bit>,
        /// Size and sign of the access.
        pub mem_funct3: Signal<Out, Bits<3>>,
        /// It is a store.
        pub mem_store: Signal<Out, Bit>,
        /// It is FENCE.
        pub mem_fence: Signal<Out, Bit>,
        /// It is FENCE.I.
        pub mem_fence_i: Signal<Out, Bit>,
        /// Address offset.
        pub mem_imm: Signal<Out, Bits<32>>,
        /// Base address of each lane.
        pub mem_rs1: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// Store data of each lane.
        pub mem_rs2: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        words: LutRam<WORD> = LutRam::new(WORD, DEPTH),
        wid: LutRam<5> = LutRam::new(wid, DEPTH),
        tmask: LutRam<32> = LutRam::new(threads, DEPTH),
        rs1: Vec<LutRam<32>> = (0..threads).map(|_| LutRam::new(32, DEPTH)).collect(),
        rs2: Vec<LutRam<32>> = (0..threads).map(|_| LutRam::new(32, DEPTH)).collect(),
        read_pointer: Reg<Bits<2>>,
        write_pointer: Reg<Bits<2>>,
        held: Reg<Bits<3>>,
        leaves: Signal<Local, Bit>,
        word: Signal<Local, Bits<WORD>>,
        first: Signal<Local, Bits<WORD>>,
        offset: Signal<Local, Bits<12>>,
        read_address: Signal<Local, Bits<16>> = signal(clog2(DEPTH)),
        write_address: Signal<Local, Bits<16>> = signal(clog2(DEPTH)),
    }
}

impl Logic for MemCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemCollector: A queue for the class mem, in order: loads, stores and fences.");
        comment!("1. in and out");
        self.mem_valid.next = self.held.q.val() != 0;
        self.leaves.next = self.mem_valid.val() & self.mem_ready.val();
        if self.leaves.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        if self.operand_valid.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        if self.operand_valid.val() & !self.leaves.val() {
            self.held.d.next = self.held.q.val() + 1;
        }
        if !self.operand_valid.val() & self.leaves.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
        comment!("2. room for what issues now, behind what is in the operand stage");
        self.mem_free.next = (self.held.q.val() < 3) | ((self.held.q.val() == 3) & !self.operand_valid.val());
        comment!("3. what arrives; the offset of this class has twelve bits");
        self.word.next = bit_cast::<WORD, 12>(self.operand_imm.val().get_bits::<12>(0))
            | (bit_cast::<WORD, 32>(self.operand_pc.val()) << 12)
            | (bit_cast::<WORD, 6>(self.operand_rd.val()) << 44)
            | (bit_cast::<WORD, 3>(self.operand_funct3.val()) << 50);
        self.word.next = self.word.val().replace_bit(53, self.operand_use_rd.val());
        self.word.next = self.word.val().replace_bit(54, self.operand_store.val());
        self.word.next = self.word.val().replace_bit(55, self.operand_fence.val());
        self.word.next = self.word.val().replace_bit(56, self.operand_fence_i.val());
        self.read_address.next = bit_cast::<16, 2>(self.read_pointer.q.val());
        self.write_address.next = bit_cast::<16, 2>(self.write_pointer.q.val());
        self.words.write_enable.next = self.operand_valid.val();
        self.words.write_address.next = self.write_address.val();
        self.words.write_data.next = self.word.val();
        self.words.read_address.next = self.read_address.val();
        self.wid.write_enable.next = self.operand_valid.val();
        self.wid.write_address.next = self.write_address.val();
        self.wid.write_data.next = self.operand_wid.val();
        self.wid.read_address.next = self.read_address.val();
        self.tmask.write_enable.next = self.operand_valid.val();
        self.tmask.write_address.next = self.write_address.val();
        self.tmask.write_data.next = self.operand_tmask.val();
        self.tmask.read_address.next = self.read_address.val();
        for i in 0..self._threads {
            self.rs1[i].write_enable.next = self.operand_valid.val();
            self.rs1[i].write_address.next = self.write_address.val();
            self.rs1[i].write_data.next = self.operand_rs1[i].val();
            self.rs1[i].read_address.next = self.read_address.val();
            self.mem_rs1[i].next = self.rs1[i].read_data.val();
            self.rs2[i].write_enable.next = self.operand_valid.val();
            self.rs2[i].write_address.next = self.write_address.val();
            self.rs2[i].write_data.next = self.operand_rs2[i].val();
            self.rs2[i].read_address.next = self.read_address.val();
            self.mem_rs2[i].next = self.rs2[i].read_data.val();
        }
        comment!("4. the first entry");
        self.first.next = self.words.read_data.val();
        self.offset.next = self.first.val().get_bits::<12>(0);
        self.mem_imm.next = bit_cast::<32, 12>(self.offset.val());
        if self.offset.val().get_bit(11) {
            self.mem_imm.next = bit_cast::<32, 12>(self.offset.val()) | 0xFFFF_F000_u64;
        }
        self.mem_pc.next = self.first.val().get_bits::<32>(12);
        self.mem_rd.next = self.first.val().get_bits::<6>(44);
        self.mem_funct3.next = self.first.val().get_bits::<3>(50);
        self.mem_use_rd.next = self.first.val().get_bit(53);
        self.mem_store.next = self.first.val().get_bit(54);
        self.mem_fence.next = self.first.val().get_bit(55);
        self.mem_fence_i.next = self.first.val().get_bit(56);
        self.mem_wid.next = self.wid.read_data.val();
        self.mem_tmask.next = self.tmask.read_data.val();
    }
}
