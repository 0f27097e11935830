//! Loads and stores: all lanes are checked when the instruction issues; then, or later, the access is performed.

use super::super::decoded::Decoded;
use super::super::fault::{Cause, Origin, Trap};
use super::super::machine::Machine;
use super::super::members;
use super::super::memory::{is_console, on_one_line, part, LocalMemory, CONSOLE_BASE, LOCAL_MEM_BASE};
use super::super::retire::{MemoryAccess, Retire};
use super::super::warp::{lanes_where, quads, quads_mut, Lanes};
use isa::Op;
use spec::config::{LINE_BYTES, MAX_THREADS};

/// Checks what an instruction asks of memory, which is in the record, and whose lanes' addresses are there what programs say.
#[inline(always)]
fn check_access(m: &Machine, retire: &mut Retire, misaligned: Cause) -> Result<(), Trap> {
    retire.accesses = true;
    check(m, retire.tmask, &retire.access.addr, retire.access.size(), misaligned)?;
    m.memory.stacks().find(&mut retire.access.addr);
    Ok(())
}

/// The lanes' addresses: an offset from the base register.
#[inline(always)]
fn add(addresses: &mut Lanes, threads: usize, base: &Lanes, offset: u32) {
    for (addresses, base) in quads_mut(addresses, threads).iter_mut().zip(quads(base)) {
        *addresses = base.map(|base| base.wrapping_add(offset));
    }
}

/// Whether the accesses respect alignment, local memory's size and the map; `misaligned` is the cause if alignment is not.
#[inline(always)]
fn check(m: &Machine, tmask: u32, addr: &Lanes, size: u32, misaligned: Cause) -> Result<(), Trap> {
    let is_misaligned = |a: u32| a & (size - 1) != 0;
    let is_beyond_local = |a: u32| LocalMemory::owns(a) && !in_local(m, a);
    // The map begins with the console (docs/ISA.md, section 6); what lies before it is known to be nothing.
    let is_below_map = |a: u32| a < CONSOLE_BASE;
    let is_unmapped = |a: u32| !LocalMemory::owns(a) && !m.memory.is_mapped(a);
    let exists = |a: u32| !(is_beyond_local(a) || is_below_map(a) || is_unmapped(a));
    // Most accesses are legal, and most of them on one line, which is mapped as a whole or not at all.
    let first = addr[tmask.trailing_zeros() as usize % MAX_THREADS];
    let is_as_first = |address: u32| on_one_line(address, first) && !is_misaligned(address);
    let is_legal = match tmask & !lanes_where(addr, m.threads, is_as_first) {
        0 if !LocalMemory::owns(first) => exists(first & !(LINE_BYTES as u32 - 1)),
        _ => members(tmask).all(|lane| !is_misaligned(addr[lane]) && exists(addr[lane])),
    };
    if is_legal {
        return Ok(());
    }
    // The cause is looked for in this order, in whatever lane.
    let causes: [(Cause, &dyn Fn(u32) -> bool); 4] = [
        (misaligned, &is_misaligned),
        (Cause::LocalMemoryRange, &is_beyond_local),
        (Cause::Unmapped, &is_below_map),
        (Cause::Unmapped, &is_unmapped),
    ];
    for (cause, applies) in causes {
        if let Some(address) = members(tmask).map(|lane| addr[lane]).find(|&address| applies(address)) {
            return Err(Trap::new(cause, address));
        }
    }
    Ok(())
}

/// The line that all active lanes' addresses are on, if they are on one that is not in local memory.
fn common_line(addresses: &Lanes, tmask: u32, threads: usize) -> Option<u32> {
    let first = addresses[tmask.trailing_zeros() as usize % MAX_THREADS];
    let lanes = lanes_where(addresses, threads, |address| on_one_line(address, first));
    (tmask & !lanes == 0 && !LocalMemory::owns(first)).then_some(first / LINE_BYTES as u32)
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
    retire: &mut Retire,
    size: u32,
    signed: bool,
) -> Result<(), Trap> {
    let access = &mut retire.access;
    (access.store, access.signed, access.funct3) = (false, signed, size.trailing_zeros() as u8);
    add(&mut access.addr, m.threads, &m.warps[retire.wid].registers[usize::from(instr.rs1)], instr.imm);
    check_access(m, retire, Cause::MisalignedLoad)
}

/// A store of the low `size` bytes of rs2 in every active lane.
pub(super) fn store(m: &mut Machine, instr: &Decoded, retire: &mut Retire, size: u32) -> Result<(), Trap> {
    let registers = &m.warps[retire.wid].registers;
    let access = &mut retire.access;
    (access.store, access.signed, access.funct3) = (true, false, size.trailing_zeros() as u8);
    access.data = registers[usize::from(instr.rs2)];
    add(&mut access.addr, m.threads, &registers[usize::from(instr.rs1)], instr.imm);
    check_access(m, retire, Cause::MisalignedStore)?;
    note_all_code(m, retire);
    Ok(())
}

/// An atomic instruction on a word in every active lane.
pub(super) fn atomic(m: &mut Machine, instr: &Decoded, retire: &mut Retire) -> Result<(), Trap> {
    let registers = &m.warps[retire.wid].registers;
    let [addr, data, compared] =
        [instr.rs1, instr.rs2, instr.rs3].map(|register| registers[usize::from(register)]);
    retire.access = MemoryAccess { store: false, funct3: 2, signed: false, addr, data };
    retire.values = compared;
    check_access(m, retire, Cause::MisalignedStore)?;
    note_all_code(m, retire);
    Ok(())
}

/// A store to code makes what the instruction cache may hold an older version.
fn note_code(m: &mut Machine, retire: &Retire, address: u32) {
    let by = Origin { wid: retire.wid, pc: retire.pc };
    if !LocalMemory::owns(address) && m.stored_code.store(address, by) {
        m.decoded.remove(address);
    }
}

/// The same of all that an instruction stores.
fn note_all_code(m: &mut Machine, retire: &Retire) {
    members(retire.tmask).for_each(|lane| note_code(m, retire, retire.access.addr[lane]));
}

/// What an instruction that has issued does in memory. Its addresses have been checked.
pub(in super::super) fn perform(m: &mut Machine, retire: &mut Retire) {
    match retire.access() {
        Some(access) if access.store => perform_store(m, retire, retire.tmask, access),
        Some(access) if retire.op.is_atomic() => perform_atomic(m, retire, *access),
        Some(_) => perform_load(m, retire.wid, retire.tmask, &retire.access, &mut retire.values),
        None if retire.op == Op::FenceI => {
            m.decoded.clear();
            m.stored_code.clear();
        }
        None => {}
    }
}

fn perform_load(m: &Machine, wid: usize, tmask: u32, access: &MemoryAccess, values: &mut Lanes) {
    let size = access.size();
    match common_line(&access.addr, tmask, m.threads).and_then(|line| m.memory.line(line)) {
        // All lanes are computed, whatever the mask: the others' results are meaningless.
        Some(line) => {
            let words = line.as_chunks::<4>().0;
            let word = |address: u32| u32::from_le_bytes(words[(address % LINE_BYTES as u32 / 4) as usize]);
            let lanes = values.iter_mut().zip(&access.addr).take(m.threads);
            match size {
                4 => lanes.for_each(|(value, &address)| *value = word(address)),
                _ => lanes.for_each(|(value, &address)| *value = part(word(address), address, size)),
            }
        }
        None => load_each(m, wid, tmask, access, values),
    }
    if access.signed {
        let unused = 32 - 8 * size;
        *values = values.map(|value| ((value << unused) as i32 >> unused) as u32);
    }
}

/// A load whose lanes are not on one line of memory that has been written.
fn load_each(m: &Machine, wid: usize, tmask: u32, access: &MemoryAccess, values: &mut Lanes) {
    let size = access.size();
    let mut memory = m.memory.reader();
    for lane in members(tmask) {
        let address = access.addr[lane];
        let value = match LocalMemory::owns(address) {
            true => m.local.read(absolute(m, wid, address), size),
            false => memory.read(address, size).ok(),
        };
        values[lane] = value.unwrap_or_default();
    }
}

/// Lanes with the same word follow one another, the lowest first; all others act together (docs/ISA.md, section 2).
fn perform_atomic(m: &mut Machine, retire: &mut Retire, access: MemoryAccess) {
    let Retire { wid, op, .. } = *retire;
    let (mut left, compared) = (retire.tmask, retire.values);
    while left != 0 {
        let is_first = |&lane: &usize| {
            members(left)
                .take_while(|&other| other < lane)
                .all(|other| access.addr[other] != access.addr[lane])
        };
        let lanes = members(left).filter(is_first).fold(0, |lanes, lane| lanes | 1 << lane);
        let mut stored = access;
        let mut values = retire.values;
        perform_load(m, wid, lanes, &access, &mut values);
        for lane in members(lanes) {
            let old = values[lane];
            retire.values[lane] = old;
            stored.data[lane] = combine(op, old, access.data[lane], compared[lane]);
        }
        perform_store(m, retire, lanes, &stored);
        left &= !lanes;
    }
}

/// What an atomic instruction stores, of the word in memory and its operand; AMOCAS compares the word with `compared`.
fn combine(op: Op, word: u32, operand: u32, compared: u32) -> u32 {
    match op {
        Op::AmoaddW => word.wrapping_add(operand),
        Op::AmoxorW => word ^ operand,
        Op::AmoandW => word & operand,
        Op::AmoorW => word | operand,
        Op::AmominW => (word as i32).min(operand as i32) as u32,
        Op::AmomaxW => (word as i32).max(operand as i32) as u32,
        Op::AmominuW => word.min(operand),
        Op::AmomaxuW => word.max(operand),
        Op::AmocasW if word != compared => word,
        _ => operand,
    }
}

/// The highest lane stores last.
fn perform_store(m: &mut Machine, retire: &Retire, tmask: u32, access: &MemoryAccess) {
    let size = access.size();
    let (mut console, mut console_bytes) = ([0; LINE_BYTES], 0u64);
    for lane in members(tmask) {
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
    if console_bytes != 0 {
        let written = m.memory.write_line(CONSOLE_BASE, &console, console_bytes);
        debug_assert_eq!(written, Ok(()), "checked at issue");
    }
}
