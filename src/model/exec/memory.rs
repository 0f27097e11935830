//! Loads and stores: all lanes are checked when the instruction issues; then, or later, the access is performed.

use super::super::decoded::Decoded;
use super::super::fault::{Cause, Origin, Trap};
use super::super::machine::Machine;
use super::super::memory::{is_console, LocalMemory, CONSOLE_BASE, LOCAL_MEM_BASE};
use super::super::retire::{MemoryAccess, Retire};
use super::super::warp::Lanes;
use isa::Op;
use spec::config::LINE_BYTES;

/// The set bits of a lane mask, lowest first.
fn lanes(mut tmask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = tmask.trailing_zeros() as usize;
        tmask &= tmask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

/// Each lane's address, once alignment, local memory's size and the map are known to be respected.
fn addresses(
    m: &Machine,
    instr: &Decoded,
    retire: &Retire,
    size: u32,
    misaligned: Cause,
) -> Result<Lanes, Trap> {
    let base = &m.warps[retire.wid].registers[usize::from(instr.rs1)];
    let addr = base.map(|base| base.wrapping_add(instr.imm));
    let mut active = lanes(retire.tmask).map(|lane| addr[lane]);
    if let Some(address) = active.find(|a| a & (size - 1) != 0) {
        return Err(Trap::new(misaligned, address));
    }
    let mut active = lanes(retire.tmask).map(|lane| addr[lane]);
    if let Some(address) = active.find(|&a| LocalMemory::owns(a) && !in_local(m, a)) {
        return Err(Trap::new(Cause::LocalMemoryRange, address));
    }
    // The map begins with the console (docs/ISA.md, section 6); what lies before it is known to be nothing.
    let mut active = lanes(retire.tmask).map(|lane| addr[lane]);
    if let Some(address) = active.find(|&a| a < CONSOLE_BASE) {
        return Err(Trap::new(Cause::Unmapped, address));
    }
    let mut active = lanes(retire.tmask).map(|lane| addr[lane]);
    if let Some(address) = active.find(|&a| !LocalMemory::owns(a) && !m.memory.is_mapped(a)) {
        return Err(Trap::new(Cause::Unmapped, address));
    }
    Ok(addr)
}

/// Whether an address is in the local memory that the warps have, each block of a grid its own part.
fn in_local(m: &Machine, address: u32) -> bool {
    let bytes = m.grid.as_ref().map_or(0, |grid| grid.launch.local_bytes);
    m.local.contains(address) && (bytes == 0 || address - LOCAL_MEM_BASE < bytes)
}

/// Where an address of a warp is in the memory of the core.
fn absolute(m: &Machine, wid: usize, address: u32) -> u32 {
    if LocalMemory::owns(address) {
        address.wrapping_add(m.local_base(wid))
    } else {
        address
    }
}

/// A load of `size` bytes in every active lane.
pub(super) fn load(
    m: &Machine,
    instr: &Decoded,
    retire: &Retire,
    size: u32,
    signed: bool,
) -> Result<MemoryAccess, Trap> {
    let addr = addresses(m, instr, retire, size, Cause::MisalignedLoad)?;
    Ok(MemoryAccess { store: false, funct3: size.trailing_zeros() as u8, signed, addr, data: [0; 32] })
}

/// A store of the low `size` bytes of rs2 in every active lane.
pub(super) fn store(
    m: &mut Machine,
    instr: &Decoded,
    retire: &Retire,
    size: u32,
) -> Result<MemoryAccess, Trap> {
    let addr = addresses(m, instr, retire, size, Cause::MisalignedStore)?;
    let data = m.warps[retire.wid].registers[usize::from(instr.rs2)];
    lanes(retire.tmask).for_each(|lane| note_code(m, retire, addr[lane]));
    Ok(MemoryAccess { store: true, funct3: size.trailing_zeros() as u8, signed: false, addr, data })
}

/// A store to code makes what the instruction cache may hold an older version.
fn note_code(m: &mut Machine, retire: &Retire, address: u32) {
    let by = Origin { wid: retire.wid, pc: retire.pc };
    if !LocalMemory::owns(address) && m.stored_code.store(address, by) {
        m.decoded.remove(address);
    }
}

/// What an instruction that has issued does in memory. Its addresses have been checked.
pub(in super::super) fn perform(m: &mut Machine, retire: &mut Retire) {
    match retire.access {
        Some(access) if access.store => perform_store(m, retire, &access),
        Some(access) => retire.values = perform_load(m, retire.wid, retire.tmask, &access),
        None if retire.op == Op::FenceI => {
            m.decoded.clear();
            m.stored_code.clear();
        }
        None => {}
    }
}

fn perform_load(m: &Machine, wid: usize, tmask: u32, access: &MemoryAccess) -> Lanes {
    let size = access.size();
    let unused = 32 - 8 * size;
    let mut values = [0; 32];
    for lane in lanes(tmask) {
        let address = absolute(m, wid, access.addr[lane]);
        let value = m.local.read(address, size).or_else(|| m.memory.read(address, size).ok());
        let value = value.unwrap_or_default();
        values[lane] = if access.signed { ((value << unused) as i32 >> unused) as u32 } else { value };
    }
    values
}

/// The highest lane stores last.
fn perform_store(m: &mut Machine, retire: &Retire, access: &MemoryAccess) {
    let size = access.size();
    let (mut console, mut console_bytes) = ([0; LINE_BYTES], 0u64);
    for lane in lanes(retire.tmask) {
        let (address, value) = (absolute(m, retire.wid, access.addr[lane]), access.data[lane]);
        if is_console(address) {
            // One line leaves the core, so lanes that write to one port put a single byte.
            for (i, byte) in (0..size).zip(value.to_le_bytes()) {
                let port = address + i - CONSOLE_BASE;
                console[port as usize] = byte;
                console_bytes |= 1 << port;
            }
        } else if m.local.write(address, size, value).is_none() {
            let written = m.memory.write(address, size, value);
            debug_assert_eq!(written, Ok(()), "checked at issue");
            // Once more: another warp's FENCE.I may have come since the store issued.
            note_code(m, retire, address);
        }
    }
    let written = m.memory.write_line(CONSOLE_BASE, &console, console_bytes);
    debug_assert_eq!(written, Ok(()), "checked at issue");
}
