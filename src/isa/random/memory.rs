//! Loads and stores, all of them aligned and inside the warp's own data.

use super::{Generator, Place, Target, GLOBAL_BASE, LOCAL_BASE, REGION};
use crate::csr;
use crate::table::{Op, ISA};
use spec::config::LOCAL_MEM_BASE;

/// The console's first byte; it has 64.
const CONSOLE: i32 = 0x40;

/// Bytes that a load or store accesses in each lane: funct3 holds their logarithm.
fn access_size(op: Op) -> u32 {
    1 << (op.info().bits >> 12 & 3)
}

impl Generator<'_> {
    /// Puts an address in a register. The base registers point at the middle of a region: a lane adds
    /// an index below half the region's size, and the access's own offset goes down by at most as much.
    /// Returns the register and that half size.
    fn address(&mut self, place: Place, align: u32) -> (usize, u32) {
        let local = self.shape.local_region();
        let choice = if local == 0 || self.shape.target != Target::Core { 0 } else { self.rng.below(8) };
        let half = if choice < 4 { REGION / 2 } else { local / 2 };
        let (address, scratch) = self.temps(place);
        let mask = (half - 1) & !(align - 1);
        match self.rng.below(4) {
            0 => self.asm.i(Op::Andi, address, 0, 0), // every lane the same
            1 if self.shape.target == Target::Core => {
                // neighbouring lanes side by side
                self.asm.csr(Op::Csrrs, address, csr::THREAD_ID, 0);
                let scale = align.trailing_zeros() as i32 + self.rng.pick(&[0, 0, 0, 1, 2]);
                self.asm.i(Op::Slli, address, address, scale);
                self.asm.i(Op::Andi, address, address, mask as i32);
            }
            _ => {
                let index = self.src();
                self.asm.i(Op::Andi, address, index, mask as i32);
            }
        }
        match choice {
            0..=3 => self.asm.r(Op::Add, address, address, GLOBAL_BASE),
            4..=6 => self.asm.r(Op::Add, address, address, LOCAL_BASE),
            _ => {
                // some lanes local, the others global: scratch = odd ? local : global
                let selector = self.src();
                self.asm.i(Op::Andi, scratch, selector, 1);
                self.asm.r(Op::Sub, scratch, 0, scratch);
                self.asm.r(Op::Add, address, address, GLOBAL_BASE);
                let third =
                    self.temp(Place { writable: place.writable & !(1 << address | 1 << scratch), ..place });
                self.asm.r(Op::Sub, third, LOCAL_BASE, GLOBAL_BASE);
                self.asm.r(Op::And, scratch, scratch, third);
                self.asm.r(Op::Add, address, address, scratch);
            }
        }
        (address, half)
    }

    /// A few loads and stores around one address.
    pub(super) fn memory_ops(&mut self, place: Place) {
        let align = self.rng.pick(&[1, 2, 4, 4]);
        let (address, half) = self.address(place, align);
        let place = Place { writable: place.writable & !(1 << address), ..place };
        for _ in 0..1 + self.rng.below(4) {
            if self.shape.atomics && align >= 4 && self.rng.one_in(4) {
                self.atomic_op(place, address);
                continue;
            }
            let store = self.rng.one_in(2);
            let fits = |op: Op| {
                let direction = if store { op.is_store() } else { op.is_load() };
                direction && access_size(op) <= align && (self.shape.fpu || !op.needs_fpu())
            };
            let ops: Vec<Op> = ISA.iter().map(|row| row.op).filter(|&op| fits(op)).collect();
            let op = self.rng.pick(&ops);
            let offset = -(((self.rng.word() % (half + 1)) & !(access_size(op) - 1)) as i32);
            if store {
                let data = if op.needs_fpu() { self.float_src() } else { self.src() };
                self.asm.s(op, data, address, offset);
            } else {
                let rd = if op.needs_fpu() { self.float_dest() } else { self.dest(place) };
                self.asm.i(op, rd, address, offset);
            }
        }
    }

    /// An atomic instruction on the word at the address in a register, now and then to x0. Half the comparisons are with what
    /// is there, and mostly hold.
    fn atomic_op(&mut self, place: Place, address: usize) {
        let on_linux = self.shape.target == Target::LinuxUser;
        let known = |op: &Op| op.is_atomic() && !(on_linux && *op == Op::AmocasW);
        let ops: Vec<Op> = ISA.iter().map(|row| row.op).filter(known).collect();
        let op = self.rng.pick(&ops);
        let rd = if self.rng.one_in(4) { 0 } else { self.dest(place) };
        let data = self.src();
        match (op, rd) {
            (Op::AmocasW, _) if self.rng.one_in(2) => {}
            (Op::AmocasW, 0) => self.asm.s(Op::Sw, 0, address, 0),
            (Op::AmocasW, _) => self.asm.i(Op::Lw, rd, address, 0),
            _ => {}
        }
        self.asm.r(op, rd, address, data);
    }

    /// Prints a letter or ends a line, in every active lane.
    pub(super) fn console_op(&mut self, place: Place) {
        let (slot, letter) = self.temps(place);
        self.asm.csr(Op::Csrrs, slot, csr::MHARTID, 0);
        self.asm.i(Op::Andi, slot, slot, 63);
        if self.rng.one_in(4) {
            self.asm.i(Op::Addi, letter, 0, i32::from(b'\n'));
        } else {
            let source = self.src();
            self.asm.i(Op::Andi, letter, source, 15);
            self.asm.i(Op::Addi, letter, letter, i32::from(b'A'));
        }
        self.asm.s(Op::Sb, letter, slot, CONSOLE);
    }

    /// Sets the local base and fills the warp's part of local memory, which starts out undefined. All
    /// lanes are active and all registers may be written.
    pub(super) fn fill_local_memory(&mut self) {
        let (address, count, lane, warp) = (5, 6, 7, 28);
        let size = self.shape.local_region();
        if size == 0 {
            return;
        }
        self.asm.li(LOCAL_BASE, LOCAL_MEM_BASE + size / 2);
        self.asm.csr(Op::Csrrs, warp, csr::WARP_ID, 0);
        self.asm.i(Op::Slli, warp, warp, self.shape.local_stride().trailing_zeros() as i32);
        self.asm.r(Op::Add, LOCAL_BASE, LOCAL_BASE, warp);
        self.asm.csr(Op::Csrrs, lane, csr::THREAD_ID, 0);
        self.asm.i(Op::Slli, lane, lane, 2);
        // A warp wider than the region writes parts of it more than once.
        self.asm.i(Op::Andi, lane, lane, size as i32 - 1);
        self.asm.r(Op::Add, address, LOCAL_BASE, lane);
        let step = 4 * self.shape.threads as u32;
        self.asm.li(count, (size / step).max(1));
        let again = self.asm.bound_label();
        self.asm.r(Op::Xor, warp, address, warp);
        self.asm.s(Op::Sw, warp, address, -(size as i32 / 2));
        self.asm.i(Op::Addi, address, address, step as i32);
        self.asm.i(Op::Addi, count, count, -1);
        self.asm.b(Op::Bne, count, 0, again);
    }
}
