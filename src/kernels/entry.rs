//! Entries of kernels for the dispatcher, as lean as the linked kernel allows.
//!
//! Code before the kernel's function gives each thread its stack, the global pointer, a clear `fcsr` and the argument, calls
//! the function, and ends the warp (`SIMT_KERNEL`, in `simt_grid.h`). Every warp of every block runs it. A function that
//! calls no other can end its warp itself, and needs of the rest only what its instructions read: that much is put right
//! before the function, and the entry is moved there. Any other function keeps the entry that it was linked with.

use divergence::BODY_OF;
use isa::table::Op;
use isa::{csr, decode, encode, format, rounding, Format, Operands};
use loader::{Executable, Symbol};

const RA: usize = 1;
const SP: usize = 2;
const GP: usize = 3;
const TP: usize = 4;
const A0: usize = 10;

/// `ret`
const RETURN: u32 = 0x0000_8067;
/// `tmc x0`, the end of a warp.
const END: u32 = 0x0000_000b;

/// Moves the entry of each kernel of an executable past what the kernel does not need.
pub(super) fn make_lean(file: &mut Executable) {
    let rounds_anew = file.code().any(changes_rounding);
    let is_body = |symbol: &&Symbol| symbol.name.starts_with(BODY_OF) && symbol.size > 0;
    let bodies: Vec<Symbol> = file.symbols().iter().filter(is_body).cloned().collect();
    for body in bodies {
        let entry = file.symbols().iter().find(|symbol| body.name[BODY_OF.len()..] == symbol.name);
        let Some(entry) = entry.map(|symbol| symbol.address).filter(|&entry| entry < body.address) else {
            continue;
        };
        let before = file.words(entry, body.address);
        let function = file.words(body.address, body.address.saturating_add(body.size));
        let (Some(before), Some(function)) = (before, function) else { continue };
        let needed = needs(&function, rounds_anew).and_then(|needs| needed_setup(&before, &needs));
        let Some(needed) = needed else { continue };

        // Nobody comes to what is left before it, where a word of 0 is a fault.
        let mut before = vec![0; before.len() - needed.len()];
        let lean = entry + 4 * before.len() as u32;
        before.extend(needed);
        file.write(entry, &before);
        let ends = function.iter().map(|&word| if word == RETURN { END } else { word });
        file.write(body.address, &ends.collect::<Vec<_>>());
        file.move_symbols(entry, lean);
    }
}

/// What a function finds as it begins.
#[derive(Debug, PartialEq, Eq)]
struct Needs {
    /// Registers, a bit for each.
    registers: u64,
    /// `fcsr`, with the rounding mode and the exceptions of nobody else.
    float_state: bool,
}

/// What a function needs that calls no other; `None` if it may, or if it does not end in sight.
fn needs(function: &[u32], rounds_anew: bool) -> Option<Needs> {
    let mut needs = Needs { registers: 0, float_state: false };
    for (index, &word) in function.iter().enumerate().filter(|(_, &word)| word != RETURN) {
        let op = decode(word)?;
        let target = index as i64 + i64::from(op.imm(word) as i32 / 4);
        let leaves = !(0..function.len() as i64).contains(&target);
        match op {
            Op::Jalr => return None,
            Op::Jal if format::rd(word) != 0 || leaves => return None,
            _ if op.is_branch() && leaves => return None,
            _ => {}
        }
        let read = reads(op.format(), word);
        if read & 1 << RA != 0 {
            return None;
        }
        needs.registers |= read & (1 << SP | 1 << GP | 1 << TP);
        needs.float_state |= match float_csr(op, word) {
            Some(_) => true,
            None => rounds_anew && op.has_rounding() && format::rm(word) == rounding::DYNAMIC,
        };
    }
    let ends = |word: u32| word == RETURN || decode(word) == Some(Op::Jal);
    if !function.last().is_some_and(|&last| ends(last)) {
        return None;
    }
    needs.registers |= u64::from(reads_argument(function)) << A0;
    Some(needs)
}

/// Whether a function may read its argument: what it does with the register before it first branches decides, if anything.
fn reads_argument(function: &[u32]) -> bool {
    for &word in function {
        let Some(op) = decode(word) else { return true };
        if word == RETURN {
            return false;
        }
        if reads(op.format(), word) & 1 << A0 != 0 || op.is_branch() || op.is_jump() {
            return true;
        }
        if op.format().rd(word) == Some(A0) {
            return false;
        }
    }
    true
}

/// What is needed of the instructions before a function; `None` if they are not those of `SIMT_KERNEL`.
fn needed_setup(before: &[u32], needs: &Needs) -> Option<Vec<u32>> {
    let [setup @ .., call, END] = before else { return None };
    // Right behind it and the end.
    let expected = Operands { rd: RA, imm: 8, ..Operands::default() };
    if encode(Op::Jal, expected) != Ok(*call) {
        return None;
    }
    let mut registers = needs.registers;
    let mut needed = vec![];
    for &word in setup.iter().rev() {
        let op = decode(word)?;
        let format = op.format();
        // They are moved.
        let anywhere = matches!(format, Format::R | Format::I | Format::Shift | Format::U | Format::Csr);
        if !anywhere || matches!(op, Op::Auipc | Op::Jalr) || op.is_load() {
            return None;
        }
        let written = format.rd(word).map_or(0, |rd| 1 << rd);
        if registers & written != 0 || needs.float_state && float_csr(op, word).is_some() {
            registers = registers & !written | reads(format, word);
            needed.push(word);
        }
    }
    needed.reverse();
    Some(needed)
}

/// The registers that an instruction reads, a bit for each.
fn reads(format: Format, word: u32) -> u64 {
    format.sources(word).into_iter().flatten().fold(0, |all, rs| all | 1 << rs)
}

/// The part of `fcsr` that an instruction accesses by its number.
fn float_csr(op: Op, word: u32) -> Option<u16> {
    op.csr(word).filter(|&number| matches!(number, csr::FFLAGS | csr::FRM | csr::FCSR))
}

/// Whether an instruction may choose another rounding mode than that of the reset.
fn changes_rounding(word: u32) -> bool {
    let Some(op) = decode(word) else { return false };
    // The register, or the immediate. Writing 0 and setting no bit change nothing.
    let zero = format::rs1(word) == 0;
    float_csr(op, word).is_some_and(|number| number != csr::FFLAGS) && !zero
}
