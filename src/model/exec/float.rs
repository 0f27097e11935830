//! F: floating-point arithmetic in every active lane.

use super::super::decoded::Decoded;
use super::super::fault::{Cause, Trap};
use super::super::machine::Machine;
use super::super::retire::Retire;
use super::super::softfloat::Context;
use isa::{format, Rounding};

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
    let warp = &m.warps[retire.wid];
    let mode = match instr.op.has_rounding() {
        true => Rounding::resolve(format::rm(instr.raw), warp.frm),
        false => Some(Rounding::Rne),
    };
    let mode = mode.ok_or(Trap::new(Cause::IllegalInstruction, instr.raw))?;
    let [a, b, c] = [instr.rs1, instr.rs2, instr.rs3].map(|register| &warp.registers[usize::from(register)]);
    let mut context = Context::new(mode);
    for lane in (0..m.threads).filter(|lane| retire.tmask >> lane & 1 != 0) {
        retire.values[lane] = f(&mut context, a[lane], b[lane], c[lane]);
    }
    retire.fflags = context.flags;
    Ok(())
}
