//! The collector in front of the load-store unit.
use crate::prelude::*;

/// Instructions that the queue holds.
const DEPTH: usize = 4;
/// Bits of what does not depend on the size of the core: offset 12, address 32, destination 6, minor opcode 3, four flags.
const WORD: usize = 57;

module! {
    /// A queue for the class `mem`, in order: loads, stores, atomic instructions and fences.
    ///
    /// Whether there is room depends on registers alone, so that a busy memory reaches the scheduler a cycle later
    /// and the scheduler's path is short; with four entries that never costs an issue slot while memory keeps up.
    /// Ports: below. Latency: one cycle. Reset: empty. Invariants: the scoreboard issues this class only while
    /// `mem_free`, so what arrives always finds room. Critical path: pointer, one LUT RAM access. Source: none.
    /// Mirror in the model: `model::timing::lsu`.
    pub struct MemCollector(cfg: &CoreConfig) [clock, reset]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    {
        _threads: usize = threads,
        /// From the operand stage: an instruction of this class.
        pub operand: MemInstruction<In> = MemInstruction::new(cfg),
        /// To the scoreboard: what issues in this cycle will find room.
        pub mem_free: Signal<Out, Bit>,
        /// To the load-store unit: the first entry.
        pub mem: MemInstruction<Out> = MemInstruction::new(cfg),
        words: LutRam<WORD> = LutRam::new(WORD, DEPTH),
        wid: LutRam<WID_BITS> = LutRam::new(wid, DEPTH),
        tmask: LutRam<32> = LutRam::new(threads, DEPTH),
        rs1, rs2: Vec<LutRam<32>> = (0..threads).map(|_| LutRam::new(32, DEPTH)).collect(),
        operation: Opt<LutRam<6>> = Opt::new(cfg.atomics, LutRam::new(6, DEPTH)),
        compared: Opt<Vec<LutRam<32>>> = Opt::new(cfg.atomics, (0..threads).map(|_| LutRam::new(32, DEPTH)).collect()),
        read_pointer, write_pointer: Reg<Bits<2>>,
        held: Reg<Bits<3>>,
        leaves: Signal<Local, Bit>,
        word, first: Signal<Local, Bits<WORD>>,
        offset: Signal<Local, Bits<12>>,
        atomic_word: Opt<Signal<Local, Bits<6>>> = Opt::new(cfg.atomics, Signal::default()),
        atomics: Const<Bit> = Const::new(cfg.atomics),
        _atomic_threads: usize = usize::from(cfg.atomics) * threads,
        read_address, write_address: Signal<Local, Bits<16>> = signal(clog2(DEPTH)),
    }
}

impl Logic for MemCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread operand_imm: immediate operands of loads and stores have 12 bits");
        comment!("1. in and out");
        self.mem.valid.next = self.held.q.val() != 0;
        self.leaves.next = self.mem.valid.val() & self.mem.ready.val();
        if self.leaves.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        if self.operand.valid.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        if self.operand.valid.val() & !self.leaves.val() {
            self.held.d.next = self.held.q.val() + 1;
        }
        if !self.operand.valid.val() & self.leaves.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
        comment!("The scoreboard lets nothing issue that would not find room.");
        self.operand.ready.next = true;
        comment!("2. room for what issues now, behind what is in the operand stage");
        self.mem_free.next = (self.held.q.val() < 3) | ((self.held.q.val() == 3) & !self.operand.valid.val());
        comment!("3. what arrives; the offset of this class has twelve bits");
        self.word.next = bit_cast::<WORD, 12>(self.operand.imm.val().get_bits::<12>(0))
            | (bit_cast::<WORD, 32>(self.operand.pc.val()) << 12)
            | (bit_cast::<WORD, 6>(self.operand.head_.to_.rd.val()) << 44)
            | (bit_cast::<WORD, 3>(self.operand.head_.funct3.val()) << 50);
        self.word.next = self.word.val().replace_bit(53, self.operand.head_.use_rd.val());
        self.word.next = self.word.val().replace_bit(54, self.operand.store.val());
        self.word.next = self.word.val().replace_bit(55, self.operand.fence.val());
        self.word.next = self.word.val().replace_bit(56, self.operand.fence_i.val());
        self.read_address.next = bit_cast::<16, 2>(self.read_pointer.q.val());
        self.write_address.next = bit_cast::<16, 2>(self.write_pointer.q.val());
        self.words.write_enable.next = self.operand.valid.val();
        self.words.write_address.next = self.write_address.val();
        self.words.write_data.next = self.word.val();
        self.words.read_address.next = self.read_address.val();
        self.wid.write_enable.next = self.operand.valid.val();
        self.wid.write_address.next = self.write_address.val();
        self.wid.write_data.next = self.operand.head_.to_.wid.val();
        self.wid.read_address.next = self.read_address.val();
        self.tmask.write_enable.next = self.operand.valid.val();
        self.tmask.write_address.next = self.write_address.val();
        self.tmask.write_data.next = self.operand.head_.to_.tmask.val();
        self.tmask.read_address.next = self.read_address.val();
        for i in 0..self._threads {
            self.rs1[i].write_enable.next = self.operand.valid.val();
            self.rs1[i].write_address.next = self.write_address.val();
            self.rs1[i].write_data.next = self.operand.rs1[i].val();
            self.rs1[i].read_address.next = self.read_address.val();
            self.mem.rs1[i].next = self.rs1[i].read_data.val();
            self.rs2[i].write_enable.next = self.operand.valid.val();
            self.rs2[i].write_address.next = self.write_address.val();
            self.rs2[i].write_data.next = self.operand.rs2[i].val();
            self.rs2[i].read_address.next = self.read_address.val();
            self.mem.rs2[i].next = self.rs2[i].read_data.val();
        }
        if self.atomics.val() {
            self.operation.write_enable.next = self.operand.valid.val();
            self.operation.write_address.next = self.write_address.val();
            self.operation.write_data.next =
                bit_cast::<6, 5>(self.operand.operation.val()).replace_bit(5, self.operand.atomic.val());
            self.operation.read_address.next = self.read_address.val();
            self.atomic_word.next = self.operation.read_data.val();
            self.mem.atomic.next = self.atomic_word.val().get_bit(5);
            self.mem.operation.next = self.atomic_word.val().get_bits::<5>(0);
            for i in 0..self._atomic_threads {
                self.compared[i].write_enable.next = self.operand.valid.val();
                self.compared[i].write_address.next = self.write_address.val();
                self.compared[i].write_data.next = self.operand.compared[i].val();
                self.compared[i].read_address.next = self.read_address.val();
                self.mem.compared[i].next = self.compared[i].read_data.val();
            }
        }
        comment!("4. the first entry");
        self.first.next = self.words.read_data.val();
        self.offset.next = self.first.val().get_bits::<12>(0);
        self.mem.imm.next = bit_cast::<32, 12>(self.offset.val());
        if self.offset.val().get_bit(11) {
            self.mem.imm.next = bit_cast::<32, 12>(self.offset.val()) | 0xFFFF_F000_u64;
        }
        self.mem.pc.next = self.first.val().get_bits::<32>(12);
        self.mem.head_.to_.rd.next = self.first.val().get_bits::<6>(44);
        self.mem.head_.funct3.next = self.first.val().get_bits::<3>(50);
        self.mem.head_.use_rd.next = self.first.val().get_bit(53);
        self.mem.store.next = self.first.val().get_bit(54);
        self.mem.fence.next = self.first.val().get_bit(55);
        self.mem.fence_i.next = self.first.val().get_bit(56);
        self.mem.head_.to_.wid.next = self.wid.read_data.val();
        self.mem.head_.to_.tmask.next = self.tmask.read_data.val();
    }
}
