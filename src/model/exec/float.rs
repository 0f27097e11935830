//! F: floating-point arithmetic in every active lane.

use super::super::decoded::Decoded;
use super::super::fault::{Cause, Trap};
use super::super::machine::Machine;
use super::super::retire::Retire;
use super::super::softfloat::{Context, ONE};
use super::super::warp::Lanes;
use super::SIGN;
use isa::{format, Rounding};
use spec::config::MAX_THREADS;

/// Applies `f` to the three operands of each active lane; those that the instruction lacks are x0. The
/// exceptions of all lanes come together.
///
/// Fails if the instruction rounds as `frm` says and that is no rounding mode.
pub(super) fn compute(
    m: &Machine,
    instr: &Decoded,
    retire: &mut Retire,
    f: impl Fn(&mut Context, u32, u32, u32) -> u32,
) -> Result<(), Trap> {
    let mut context = context(m, instr, retire)?;
    let [a, b, c] = operands(m, instr, retire);
    for lane in (0..m.threads).filter(|lane| retire.tmask >> lane & 1 != 0) {
        retire.values[lane] = f(&mut context, a[lane], b[lane], c[lane]);
    }
    retire.fflags = context.flags;
    Ok(())
}

/// `a * b + c` in each active lane, where the signs of `a` and `c` are first changed by `flips`.
pub(super) fn mul_add(
    m: &Machine,
    instr: &Decoded,
    retire: &mut Retire,
    flips: [u32; 2],
) -> Result<(), Trap> {
    fused(m, instr, retire, operands(m, instr, retire), flips)
}

/// `a + b`, where the sign of `b` is first changed by `flip`.
pub(super) fn add(m: &Machine, instr: &Decoded, retire: &mut Retire, flip: u32) -> Result<(), Trap> {
    let [a, b, _] = operands(m, instr, retire);
    fused(m, instr, retire, [a, &[ONE; MAX_THREADS], b], [0, flip])
}

/// `a * b`.
pub(super) fn mul(m: &Machine, instr: &Decoded, retire: &mut Retire) -> Result<(), Trap> {
    let [a, b, _] = operands(m, instr, retire);
    // A zero of the product's sign changes nothing.
    let zeros = std::array::from_fn(|lane| (a[lane] ^ b[lane]) & SIGN);
    fused(m, instr, retire, [a, b, &zeros], [0, 0])
}

/// `a * b + c` of these in each active lane.
fn fused(
    m: &Machine,
    instr: &Decoded,
    retire: &mut Retire,
    operands: [&Lanes; 3],
    flips: [u32; 2],
) -> Result<(), Trap> {
    let mut context = context(m, instr, retire)?;
    context.mul_adds(m.threads, retire.tmask, operands, flips, &mut retire.values);
    retire.fflags = context.flags;
    Ok(())
}

/// How the instruction rounds. Fails if it rounds as `frm` says and that is no rounding mode.
fn context(m: &Machine, instr: &Decoded, retire: &Retire) -> Result<Context, Trap> {
    let mode = match instr.op.has_rounding() {
        true => Rounding::resolve(format::rm(instr.raw), m.warps[retire.wid].frm),
        false => Some(Rounding::Rne),
    };
    mode.map(Context::new).ok_or(Trap::new(Cause::IllegalInstruction, instr.raw))
}

/// The three operands; those that the instruction lacks are x0.
fn operands<'a>(m: &'a Machine, instr: &Decoded, retire: &Retire) -> [&'a Lanes; 3] {
    let registers = &m.warps[retire.wid].registers;
    [instr.rs1, instr.rs2, instr.rs3].map(|register| &registers[usize::from(register)])
}
