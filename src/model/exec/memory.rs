//! Loads and stores: all lanes are checked before any access is performed.

use super::super::decoded::Decoded;
use super::super::fault::{Cause, Origin, Trap};
use super::super::machine::Machine;
use super::super::memory::{is_console, LocalMemory, CONSOLE_BASE};
use super::super::retire::{Retire, Store};
use super::super::warp::Lanes;
use crate::config::LINE_BYTES;

/// The set bits of a lane mask, lowest first.
fn lanes(mut tmask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = tmask.trailing_zeros() as usize;
        tmask &= tmask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

/// Each lane's address, once alignment, local memory's size and the map's beginning are known to be respected.
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
    if let Some(address) = active.find(|&a| LocalMemory::owns(a) && !m.local.contains(a)) {
        return Err(Trap::new(Cause::LocalMemoryRange, address));
    }
    // The map begins with the console (VORTEX_ABI 3.3); what lies before it is known to be nothing.
    let mut active = lanes(retire.tmask).map(|lane| addr[lane]);
    if let Some(address) = active.find(|&a| a < CONSOLE_BASE) {
        return Err(Trap::new(Cause::Unmapped, address));
    }
    Ok(addr)
}

/// Loads `size` bytes in every active lane, zero-extended.
pub(super) fn load(m: &Machine, instr: &Decoded, retire: &Retire, size: u32) -> Result<Lanes, Trap> {
    let addr = addresses(m, instr, retire, size, Cause::MisalignedLoad)?;
    let mut values = [0; 32];
    for lane in lanes(retire.tmask) {
        let address = addr[lane];
        let local = m.local.read(address, size);
        let value = local.map_or_else(|| m.memory.read(address, size), Ok);
        values[lane] = value.map_err(|_| Trap::new(Cause::Unmapped, address))?;
    }
    Ok(values)
}

/// Stores the low `size` bytes of rs2 in every active lane, the highest lane last.
pub(super) fn store(m: &mut Machine, instr: &Decoded, retire: &mut Retire, size: u32) -> Result<(), Trap> {
    let addr = addresses(m, instr, retire, size, Cause::MisalignedStore)?;
    let data = m.warps[retire.wid].registers[usize::from(instr.rs2)];
    let unmapped = |address: u32| Trap::new(Cause::Unmapped, address);
    for address in lanes(retire.tmask).map(|lane| addr[lane]) {
        if !LocalMemory::owns(address) && !m.memory.is_mapped(address) {
            return Err(unmapped(address));
        }
    }
    let (mut console, mut console_bytes) = ([0; LINE_BYTES], 0u64);
    for lane in lanes(retire.tmask) {
        let (address, value) = (addr[lane], data[lane]);
        if is_console(address) {
            // One line leaves the core, so lanes that write to one port put a single byte.
            for (i, byte) in (0..size).zip(value.to_le_bytes()) {
                let port = address + i - CONSOLE_BASE;
                console[port as usize] = byte;
                console_bytes |= 1 << port;
            }
        } else if m.local.write(address, size, value).is_none() {
            m.memory.write(address, size, value).map_err(|_| unmapped(address))?;
            if m.stored_code.store(address, Origin { wid: retire.wid, pc: retire.pc }) {
                m.decoded.remove(address);
            }
        }
    }
    m.memory.write_line(CONSOLE_BASE, &console, console_bytes).map_err(|u| unmapped(u.0))?;
    retire.store = Some(Store { funct3: size.trailing_zeros() as u8, addr, data });
    Ok(())
}
