//! The semantics of every instruction, once.
//!
//! [`execute`] reads like the instruction set's definition: one arm an instruction. All lanes of the
//! configuration are computed, whatever the mask, so that the loops become vector code; the mask takes
//! effect where state changes.

mod control;
mod cross_lane;
mod csr;
mod float;
mod memory;
mod muldiv;

pub(super) use control::{settle_barrier, settle_spawn};
pub use cross_lane::shuffle_source;
pub(super) use memory::perform;

use super::decoded::Decoded;
use super::fault::{Cause, Trap};
use super::machine::Machine;
use super::retire::Retire;
use super::softfloat;
use super::warp::{quads, quads_mut, Lanes};
use isa::Op;

/// The sign bit of a floating-point number.
const SIGN: u32 = 1 << 31;

/// Applies `f` in the lanes that there are.
#[inline]
fn map(values: &mut Lanes, threads: usize, a: &Lanes, f: impl Fn(u32) -> u32) {
    for (values, a) in quads_mut(values, threads).iter_mut().zip(quads(a)) {
        *values = a.map(&f);
    }
}

/// Applies `f` in the lanes that there are to two operands.
#[inline]
fn zip(values: &mut Lanes, threads: usize, a: &Lanes, b: &Lanes, f: impl Fn(u32, u32) -> u32) {
    for ((values, a), b) in quads_mut(values, threads).iter_mut().zip(quads(a)).zip(quads(b)) {
        *values = std::array::from_fn(|lane| f(a[lane], b[lane]));
    }
}

/// Executes an instruction except for its register write and for its access to memory, which [`perform`] does: fills
/// `retire` and returns the next pc.
#[inline(always)]
pub(super) fn execute(m: &mut Machine, instr: &Decoded, retire: &mut Retire) -> Result<u32, Trap> {
    let Retire { wid, pc, .. } = *retire;
    let warp = &m.warps[wid];
    let (a, b) = (&warp.registers[usize::from(instr.rs1)], &warp.registers[usize::from(instr.rs2)]);
    // The last active lane decides wherever the warp can only go one way.
    let (a_last, b_last) = (a[warp.last_lane()], b[warp.last_lane()]);
    let (imm, threads) = (instr.imm, m.threads);
    let values = &mut retire.values;
    let mut next_pc = pc.wrapping_add(4);
    let target = pc.wrapping_add(imm);
    let mut branch_if = |taken: bool| {
        retire.taken = taken;
        if taken {
            next_pc = target;
        }
    };

    match instr.op {
        // RV32I: computation
        Op::Lui => retire.values = [imm; 32],
        Op::Auipc => retire.values = [target; 32],
        Op::Addi => map(values, threads, a, |x| x.wrapping_add(imm)),
        Op::Slti => map(values, threads, a, |x| u32::from((x as i32) < imm as i32)),
        Op::Sltiu => map(values, threads, a, |x| u32::from(x < imm)),
        Op::Xori => map(values, threads, a, |x| x ^ imm),
        Op::Ori => map(values, threads, a, |x| x | imm),
        Op::Andi => map(values, threads, a, |x| x & imm),
        Op::Slli => map(values, threads, a, |x| x << (imm & 31)),
        Op::Srli => map(values, threads, a, |x| x >> (imm & 31)),
        Op::Srai => map(values, threads, a, |x| (x as i32 >> (imm & 31)) as u32),
        Op::Add => zip(values, threads, a, b, u32::wrapping_add),
        Op::Sub => zip(values, threads, a, b, u32::wrapping_sub),
        Op::Sll => zip(values, threads, a, b, |x, y| x << (y & 31)),
        Op::Slt => zip(values, threads, a, b, |x, y| u32::from((x as i32) < y as i32)),
        Op::Sltu => zip(values, threads, a, b, |x, y| u32::from(x < y)),
        Op::Xor => zip(values, threads, a, b, |x, y| x ^ y),
        Op::Srl => zip(values, threads, a, b, |x, y| x >> (y & 31)),
        Op::Sra => zip(values, threads, a, b, |x, y| (x as i32 >> (y & 31)) as u32),
        Op::Or => zip(values, threads, a, b, |x, y| x | y),
        Op::And => zip(values, threads, a, b, |x, y| x & y),

        // RV32I: control transfer
        Op::Jal => {
            retire.values = [next_pc; 32];
            next_pc = target;
        }
        Op::Jalr => {
            retire.values = [next_pc; 32];
            next_pc = a_last.wrapping_add(imm) & !1;
        }
        Op::Beq => branch_if(a_last == b_last),
        Op::Bne => branch_if(a_last != b_last),
        Op::Blt => branch_if((a_last as i32) < b_last as i32),
        Op::Bge => branch_if(a_last as i32 >= b_last as i32),
        Op::Bltu => branch_if(a_last < b_last),
        Op::Bgeu => branch_if(a_last >= b_last),
        // There are no traps to take or to return from: these go on behind themselves.
        Op::Ecall | Op::Ebreak | Op::Uret | Op::Sret | Op::Mret | Op::Wfi => {}

        // RV32I: memory
        Op::Lb => memory::load(m, instr, retire, 1, true)?,
        Op::Lh => memory::load(m, instr, retire, 2, true)?,
        Op::Lw => memory::load(m, instr, retire, 4, false)?,
        Op::Lbu => memory::load(m, instr, retire, 1, false)?,
        Op::Lhu => memory::load(m, instr, retire, 2, false)?,
        Op::Sb => memory::store(m, instr, retire, 1)?,
        Op::Sh => memory::store(m, instr, retire, 2)?,
        Op::Sw => memory::store(m, instr, retire, 4)?,
        // Zaamo, and of Zacas the comparison of words: see `perform`.
        Op::AmoswapW | Op::AmoaddW | Op::AmoxorW | Op::AmoandW | Op::AmoorW => {
            memory::atomic(m, instr, retire)?
        }
        Op::AmominW | Op::AmomaxW | Op::AmominuW | Op::AmomaxuW => memory::atomic(m, instr, retire)?,
        Op::AmocasW => memory::atomic(m, instr, retire)?,
        // A warp's accesses happen in order, so there is nothing to wait for.
        Op::Fence => {}
        // Zifencei: see `perform`.
        Op::FenceI => {}

        // Zicsr: a set or clear without bits does not write.
        Op::Csrrw | Op::Csrrwi => csr::access(m, instr, retire, |_, new| Some(new))?,
        Op::Csrrs | Op::Csrrsi => {
            csr::access(m, instr, retire, |old, bits| (bits != 0).then_some(old | bits))?;
        }
        Op::Csrrc | Op::Csrrci => {
            csr::access(m, instr, retire, |old, bits| (bits != 0).then_some(old & !bits))?;
        }

        // M
        Op::Mul => zip(values, threads, a, b, u32::wrapping_mul),
        Op::Mulh => zip(values, threads, a, b, muldiv::mulh),
        Op::Mulhsu => zip(values, threads, a, b, muldiv::mulhsu),
        Op::Mulhu => zip(values, threads, a, b, muldiv::mulhu),
        Op::Div => zip(values, threads, a, b, muldiv::div),
        Op::Divu => zip(values, threads, a, b, muldiv::divu),
        Op::Rem => zip(values, threads, a, b, muldiv::rem),
        Op::Remu => zip(values, threads, a, b, muldiv::remu),

        // Zicond
        Op::CzeroEqz => zip(values, threads, a, b, |x, y| if y == 0 { 0 } else { x }),
        Op::CzeroNez => zip(values, threads, a, b, |x, y| if y != 0 { 0 } else { x }),

        // SIMT
        Op::Tmc => control::tmc(m, wid, a_last),
        // The warps of a grid are the dispatcher's to start.
        Op::Wspawn if m.grid.is_some() => return Err(Trap::new(Cause::IllegalInstruction, instr.raw)),
        Op::Wspawn => control::wspawn(m, wid, a_last, b_last),
        Op::Split => {
            let condition = control::condition(a, imm);
            retire.values = [control::split(m, wid, condition, next_pc)?; 32];
        }
        Op::Join => {
            if let Some(pc) = control::join(m, wid, a_last)? {
                next_pc = pc;
            }
        }
        Op::Bar => control::barrier(m, wid, a_last, b_last)?,
        Op::Pred => {
            let condition = control::condition(a, imm);
            control::pred(m, wid, condition, b_last);
        }

        // Votes and shuffles
        Op::VoteAll | Op::VoteAny | Op::VoteUni | Op::VoteBallot => cross_lane::vote(retire, a),
        Op::ShflUp | Op::ShflDown | Op::ShflBfly | Op::ShflIdx => {
            cross_lane::shuffle(retire, a, b, m.threads);
        }

        // F: memory
        Op::Flw => memory::load(m, instr, retire, 4, false)?,
        Op::Fsw => memory::store(m, instr, retire, 4)?,
        // F: computation
        Op::FmaddS => float::mul_add(m, instr, retire, [0, 0])?,
        Op::FmsubS => float::mul_add(m, instr, retire, [0, SIGN])?,
        Op::FnmsubS => float::mul_add(m, instr, retire, [SIGN, 0])?,
        Op::FnmaddS => float::mul_add(m, instr, retire, [SIGN, SIGN])?,
        Op::FaddS => float::add(m, instr, retire, 0)?,
        Op::FsubS => float::add(m, instr, retire, SIGN)?,
        Op::FmulS => float::mul(m, instr, retire)?,
        Op::FdivS => float::compute(m, instr, retire, |fp, x, y, _| fp.div(x, y))?,
        Op::FsqrtS => float::compute(m, instr, retire, |fp, x, _, _| fp.sqrt(x))?,
        Op::FminS => float::compute(m, instr, retire, |fp, x, y, _| fp.min(x, y))?,
        Op::FmaxS => float::compute(m, instr, retire, |fp, x, y, _| fp.max(x, y))?,
        // F: moves, conversions, comparisons
        Op::FsgnjS => zip(values, threads, a, b, softfloat::sign_inject),
        Op::FsgnjnS => zip(values, threads, a, b, softfloat::sign_inject_negated),
        Op::FsgnjxS => zip(values, threads, a, b, softfloat::sign_inject_xor),
        Op::FmvXW | Op::FmvWX => retire.values = *a,
        Op::FclassS => map(values, threads, a, softfloat::classify),
        Op::FcvtWS => float::compute(m, instr, retire, |fp, x, _, _| fp.to_i32(x))?,
        Op::FcvtWuS => float::compute(m, instr, retire, |fp, x, _, _| fp.to_u32(x))?,
        Op::FcvtSW => float::compute(m, instr, retire, |fp, x, _, _| fp.from_i32(x))?,
        Op::FcvtSWu => float::compute(m, instr, retire, |fp, x, _, _| fp.from_u32(x))?,
        Op::FeqS => float::compute(m, instr, retire, |fp, x, y, _| fp.eq(x, y).into())?,
        Op::FltS => float::compute(m, instr, retire, |fp, x, y, _| fp.lt(x, y).into())?,
        Op::FleS => float::compute(m, instr, retire, |fp, x, y, _| fp.le(x, y).into())?,
    }
    Ok(next_pc)
}
