//! Where arrays and arguments are in the core's memory, and what is in them.

use std::collections::BTreeMap;

use super::arguments::{address, arguments};
use super::entry::{variable, Entry};
use super::host::{Answers, ArrayAnswer};
use loader::{Executable, Program, ProgramError, Segment};
use model::memory::{HEAP_BASE, HEAP_END, LOCAL_MEM_BASE};
use model::GridLaunch;

/// Arrays begin at lines.
const LINE: u32 = 64;

/// The memory that the host would have filled.
pub(super) struct Placed {
    /// Address of each array.
    pub addresses: Vec<u32>,
    pub launches: Vec<GridLaunch>,
}

/// Puts the arrays, and the arguments of each launch, into memory. `symbols` names the variables that arrays are,
/// and `sizes` has the bytes of the variable at each address.
///
/// # Errors
/// What is wrong, and with which launch or array.
pub(super) fn place(
    program: &mut Program,
    answers: &Answers,
    symbols: &[(&str, Option<&str>)],
    sizes: &BTreeMap<u32, u32>,
    contents: Vec<Vec<u8>>,
    entries: &[(&str, Entry)],
) -> Result<Placed, String> {
    let mut next = HEAP_BASE;
    let mut addresses = vec![];
    for ((array, contents), (name, symbol)) in answers.arrays.iter().zip(&contents).zip(symbols) {
        addresses.push(match symbol {
            Some(symbol) => {
                address_of(program, array, symbol).map_err(|problem| format!("array {name}: {problem}"))?
            }
            None => {
                let bytes = contents.len() / if array.kind == 'p' { 2 } else { 1 };
                let address = next;
                next += (bytes as u32).next_multiple_of(LINE);
                address
            }
        });
    }
    for (index, contents) in contents.into_iter().enumerate() {
        let array = &answers.arrays[index];
        let bytes = if array.kind == 'p' { pointers(array, &addresses) } else { contents };
        match symbols[index] {
            (name, Some(symbol)) => {
                let size = sizes.get(&addresses[index]).copied();
                if let Some(size) = size.filter(|&size| (size as usize) < bytes.len()) {
                    return Err(format!(
                        "array {name}: it has {} bytes, and the variable {symbol} {size}: choose a smaller length",
                        bytes.len()
                    ));
                }
                overwrite(program, addresses[index], &bytes).ok_or_else(|| {
                    format!("array {name}: the variable {symbol} is smaller than its {} bytes", bytes.len())
                })?;
            }
            _ => program.segments.push(Segment { address: addresses[index], bytes, reserved: 0 }),
        }
    }
    let mut launches = vec![];
    for launch in &answers.launches {
        let (kernel, entry) = &entries[launch.number];
        let named = |problem: String| format!("launch {} ({kernel}): {problem}", launch.number + 1);
        let (block, whole) = arguments(launch, entry, &addresses).map_err(named)?;
        let arg = match whole {
            Some(word) => word,
            None => {
                let address = next;
                next = behind(next, block.len().max(1)).ok_or_else(|| {
                    named(
                        "memory has no place for its arguments: choose smaller arrays, or fewer launches"
                            .into(),
                    )
                })?;
                program.segments.push(Segment { address, bytes: block, reserved: 0 });
                address
            }
        };
        let sizes =
            launch.sizes.iter().map(|text| length(text)).collect::<Result<Vec<u32>, _>>().map_err(named)?;
        let [gx, gy, gz, bx, by, bz, dynamic] = sizes[..] else { return Err(named("no sizes".into())) };
        let local_bytes =
            entry.shared.checked_add(dynamic).and_then(|bytes| bytes.checked_next_multiple_of(4));
        let local_bytes = local_bytes.ok_or_else(|| {
            let own = entry.shared;
            named(format!("shared: {dynamic} bytes and the {own} of __shared__ variables are too many"))
        })?;
        launches.push(GridLaunch {
            entry: entry.address,
            arg,
            grid: [gx, gy, gz],
            block: [bx, by, bz],
            local_bytes,
        });
    }
    program.segments.retain(|segment| !segment.bytes.is_empty() || segment.reserved != 0);
    Ok(Placed { addresses, launches })
}

/// The line behind so many bytes, if there is one in the memory of arrays.
fn behind(address: u32, bytes: usize) -> Option<u32> {
    let whole = u32::try_from(bytes).ok()?.checked_next_multiple_of(LINE)?;
    address.checked_add(whole).filter(|&end| end <= HEAP_END)
}

/// The address of a variable that an array is.
fn address_of(program: &Program, array: &ArrayAnswer, name: &str) -> Result<u32, String> {
    match variable(program, name) {
        Some((address, _)) if address >= LOCAL_MEM_BASE => Err(format!(
            "the variable {name} is __shared__: each block has its own, which nothing can be put into before the launch; \
             fill one that is __device__ or __constant__, or copy from an argument in the kernel"
        )),
        Some((address, element)) => array.element().fits(element).map(|()| address),
        None => Err(format!(
            "the sources have no variable {name}, as one that is __constant__ or __device__"
        )),
    }
}

/// Bytes of the variable, or of the function, at each address, where the executable says them.
///
/// # Errors
/// It is none.
pub(super) fn sizes(name: &str, elf: Vec<u8>) -> Result<BTreeMap<u32, u32>, ProgramError> {
    let mut sizes = BTreeMap::new();
    for symbol in Executable::new(name, elf)?.symbols().iter().filter(|symbol| symbol.size > 0) {
        let size: &mut u32 = sizes.entry(symbol.address).or_default();
        *size = symbol.size.max(*size);
    }
    Ok(sizes)
}

fn overwrite(program: &mut Program, address: u32, bytes: &[u8]) -> Option<()> {
    let target = program.segments.iter_mut().find_map(|segment| {
        let begin = address.checked_sub(segment.address)? as usize;
        segment.bytes.get_mut(begin..begin + bytes.len())
    })?;
    target.copy_from_slice(bytes);
    Some(())
}

/// The words of an array of pointers.
fn pointers(array: &ArrayAnswer, addresses: &[u32]) -> Vec<u8> {
    array.pointers.iter().flat_map(|&pointer| address(pointer, addresses).to_le_bytes()).collect()
}

/// A whole number of 32 bits.
fn length(text: &str) -> Result<u32, String> {
    let value: f64 = text.parse().unwrap_or(f64::NAN);
    let fits = value.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&value);
    fits.then_some(value as u32).ok_or_else(|| format!("{value} blocks, threads or bytes are not possible"))
}
