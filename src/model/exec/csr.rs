//! Control and status registers.

use super::super::decoded::Decoded;
use super::super::fault::{Cause, Trap};
use super::super::grid::Resident;
use super::super::machine::Machine;
use super::super::memory::LOCAL_MEM_BASE;
use super::super::retire::Retire;
use super::super::warp::Lanes;
use isa::csr::{self, Csr, Read, Write};
use isa::{format, Format};

/// `misa` as Vortex reports it: RV32 with I, M, user mode (U) and non-standard extensions (X); F comes on top.
const MISA: u32 = 1 << 30 | 1 << 8 | 1 << 12 | 1 << 20 | 1 << 23;

/// Reads a register into `retire.values`, then writes what `update` makes of its old value and the
/// operand, if anything. The operand is that of lane 0, even if lane 0 is inactive.
pub(super) fn access(
    m: &mut Machine,
    instr: &Decoded,
    retire: &mut Retire,
    update: impl Fn(u32, u32) -> Option<u32>,
) -> Result<(), Trap> {
    let number = format::csr(instr.raw);
    let illegal = Trap::new(Cause::IllegalCsr, number.into());
    let row = csr::lookup_in(&m.cfg, number).ok_or(illegal)?;
    let values = read(m, row, number, retire.wid);
    let operand = match instr.op.format() {
        Format::CsrImm => instr.imm,
        _ => m.warps[retire.wid].registers[usize::from(instr.rs1)][0],
    };
    if let Some(new) = update(values[0], operand) {
        match row.write {
            Write::Stored => write(m, number, retire.wid, new),
            Write::Ignored => {}
            Write::Illegal => return Err(illegal),
        }
    }
    retire.values = values;
    retire.volatile = row.read == Read::Timing;
    Ok(())
}

fn write(m: &mut Machine, number: u16, wid: usize, new: u32) {
    let warp = &mut m.warps[wid];
    match number {
        csr::FFLAGS => warp.fflags = new & 31,
        csr::FRM => warp.frm = new & 7,
        csr::FCSR => (warp.frm, warp.fflags) = (new >> 5 & 7, new & 31),
        _ => {
            debug_assert_eq!(number, csr::MSCRATCH);
            m.mscratch = new;
        }
    }
}

fn read(m: &Machine, row: &Csr, number: u16, wid: usize) -> Lanes {
    let lane_bits = m.threads.trailing_zeros();
    let uniform = |value: u32| [value; 32];
    match number {
        csr::THREAD_ID => std::array::from_fn(|lane| lane as u32),
        csr::MHARTID => std::array::from_fn(|lane| (wid << lane_bits) as u32 | lane as u32),
        csr::WARP_ID => uniform(wid as u32),
        csr::CORE_ID => uniform(0),
        csr::ACTIVE_WARPS => uniform(m.active_warps() as u32),
        csr::UPPER_ACTIVE_WARPS => uniform((m.active_warps() >> 32) as u32),
        csr::ACTIVE_THREADS => uniform(m.warps[wid].tmask),
        csr::NUM_THREADS => uniform(m.threads as u32),
        csr::NUM_WARPS => uniform(m.warps.len() as u32),
        csr::NUM_CORES => uniform(1),
        csr::LOCAL_MEM_BASE => uniform(LOCAL_MEM_BASE),
        csr::MISA => uniform(MISA | u32::from(m.cfg.fpu) << 5),
        csr::FFLAGS => uniform(m.warps[wid].fflags),
        csr::FRM => uniform(m.warps[wid].frm),
        csr::FCSR => uniform(m.warps[wid].frm << 5 | m.warps[wid].fflags),
        csr::MSCRATCH => uniform(m.mscratch),
        // Without a clock an instruction counts as a cycle.
        csr::MCYCLE => uniform(m.warp_instructions as u32),
        csr::MCYCLEH => uniform((m.warp_instructions >> 32) as u32),
        csr::MINSTRET => uniform(m.thread_instructions as u32),
        csr::MINSTRETH => uniform((m.thread_instructions >> 32) as u32),
        csr::CTA_LMEM_ADDR => uniform(LOCAL_MEM_BASE),
        csr::CTA_CLUSTER_SIZE => uniform(1),
        csr::CTA_ENTRY => uniform(m.start_pc),
        csr::CTA_ID..=csr::CTA_GRID_DIM_Z => {
            m.grid.as_ref().map_or([0; 32], |grid| read_grid(grid, number, wid))
        }
        // What remains is zero, or counts events that only the hardware has.
        _ => {
            debug_assert!(matches!(row.read, Read::Zero | Read::Timing), "{row:?}");
            uniform(0)
        }
    }
}

/// What the warps of a grid know of their block.
fn read_grid(grid: &Resident, number: u16, wid: usize) -> Lanes {
    let rank = grid.warps.rank_of(wid);
    let axis = |first: u16| usize::from(number - first);
    match number {
        csr::CTA_ID => [grid.block_of(wid); 32],
        csr::CTA_RANK => [rank as u32; 32],
        csr::CTA_SIZE => [grid.warps.placement().size as u32; 32],
        csr::CTA_THREAD_ID..csr::CTA_BLOCK_ID => {
            std::array::from_fn(|lane| grid.warps.placement().thread(rank, lane)[axis(csr::CTA_THREAD_ID)])
        }
        csr::CTA_BLOCK_ID..csr::CTA_BLOCK_DIM => [grid.place_of(wid)[axis(csr::CTA_BLOCK_ID)]; 32],
        csr::CTA_BLOCK_DIM..csr::CTA_GRID_DIM => [grid.launch.block[axis(csr::CTA_BLOCK_DIM)]; 32],
        _ => [grid.launch.grid[axis(csr::CTA_GRID_DIM)]; 32],
    }
}
