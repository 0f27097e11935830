//! Where arrays and arguments are in the core's memory, and what is in them.

use super::host::{Answers, Argument, ArrayAnswer, LaunchAnswer};
use crate::Inputs;
use cosim::{Program, Segment};
use model::memory::HEAP_BASE;
use model::GridLaunch;

/// Arrays begin at lines.
const LINE: u32 = 64;

/// The memory that the host would have filled.
pub(super) struct Placed {
    /// Address of each array.
    pub addresses: Vec<u32>,
    pub launches: Vec<GridLaunch>,
}

/// What a kernel's entry is like.
pub(super) struct Entry {
    pub address: u32,
    /// The parameters of a kernel of CUDA; one that is written for this core gets a word.
    pub parameters: Option<Vec<Parameter>>,
    /// Bytes of its `__shared__` variables.
    pub shared: u32,
}

/// A parameter of a kernel, as the core sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// `p`, `f`, `i`, or `s` for a class.
    pub kind: u8,
    pub size: u32,
    pub align: u32,
}

impl Entry {
    /// # Errors
    /// The program has no such kernel.
    pub fn find(program: &Program, symbol: &str) -> Option<Self> {
        let address = *program.symbols.get(symbol)?;
        let shared = program.symbols.get("__simt_shared_bytes").copied().unwrap_or(0);
        let parameters = program.symbols.get(&format!("{symbol}_parameters")).map(|&at| {
            let bytes = (0..).map_while(|i| byte(program, at + i));
            let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
            text.chunks_exact(3)
                .map(|p| Parameter { kind: p[0], size: p[1].into(), align: p[2].into() })
                .collect()
        });
        Some(Self { address, parameters, shared })
    }
}

fn byte(program: &Program, address: u32) -> Option<u8> {
    let within = |s: &Segment| s.bytes.get(address.checked_sub(s.address)? as usize).copied();
    program.segments.iter().find_map(within)
}

/// Puts the arrays, and the arguments of each launch, into memory. `symbols` names the variables that arrays are.
///
/// # Errors
/// What is wrong, and with which launch or array.
pub(super) fn place(
    program: &mut Program,
    answers: &Answers,
    symbols: &[(&str, Option<&str>)],
    contents: Vec<Vec<u8>>,
    entries: &[(&str, Entry)],
) -> Result<Placed, String> {
    let mut next = HEAP_BASE;
    let mut addresses = vec![];
    for ((array, contents), (name, symbol)) in answers.arrays.iter().zip(&contents).zip(symbols) {
        addresses.push(match symbol {
            Some(symbol) => variable(program, symbol).ok_or_else(|| {
                format!("array {name}: the sources have no variable {symbol}, as one that is __constant__ or __device__")
            })?,
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
                let written = overwrite(program, addresses[index], &bytes);
                written.ok_or_else(|| {
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
                next += (block.len() as u32).max(1).next_multiple_of(LINE);
                program.segments.push(Segment { address, bytes: block, reserved: 0 });
                address
            }
        };
        let sizes =
            launch.sizes.iter().map(|text| length(text)).collect::<Result<Vec<u32>, _>>().map_err(named)?;
        let [gx, gy, gz, bx, by, bz, dynamic] = sizes[..] else { return Err(named("no sizes".into())) };
        let local_bytes = (entry.shared + dynamic).next_multiple_of(4);
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

/// The address of a variable: of one that a `.cu` file uses as the program has it, else as the linker knows it.
fn variable(program: &Program, name: &str) -> Option<u32> {
    match program.symbols.get(&Inputs::address_of(name)) {
        Some(&at) => (0..4).rev().try_fold(0, |word, i| Some(word << 8 | u32::from(byte(program, at + i)?))),
        None => program.symbols.get(name).copied(),
    }
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

fn address(pointer: Option<(usize, u32)>, addresses: &[u32]) -> u32 {
    pointer.map_or(0, |(array, offset)| addresses[array] + offset)
}

/// A whole number of 32 bits.
fn length(text: &str) -> Result<u32, String> {
    let value: f64 = text.parse().unwrap_or(f64::NAN);
    let fits = value.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&value);
    fits.then_some(value as u32).ok_or_else(|| format!("{value} blocks, threads or bytes are not possible"))
}

/// The block of arguments of a launch; or the word that the kernel gets in its place.
fn arguments(
    launch: &LaunchAnswer,
    entry: &Entry,
    addresses: &[u32],
) -> Result<(Vec<u8>, Option<u32>), String> {
    let given = &launch.arguments;
    let word = Parameter { kind: b'i', size: 4, align: 4 };
    let (parameters, as_word) = match &entry.parameters {
        Some(parameters) => (parameters.clone(), false),
        None => (vec![word; given.len()], true),
    };
    if as_word && given.len() > 1 {
        return Err(format!("a SIMT_KERNEL gets one word, and args has {}", given.len()));
    }
    if given.len() != parameters.len() {
        return Err(format!("the kernel has {} parameters, and args has {}", parameters.len(), given.len()));
    }
    let mut block = vec![];
    for (index, (argument, parameter)) in given.iter().zip(&parameters).enumerate() {
        block.resize(block.len().next_multiple_of(parameter.align as usize), 0);
        let bytes = bytes(argument, *parameter, as_word, addresses);
        block.extend(bytes.map_err(|problem| format!("argument {}: {problem}", index + 1))?);
    }
    let whole = as_word.then(|| block.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)));
    Ok((block, whole))
}

fn bytes(
    argument: &Argument,
    parameter: Parameter,
    as_word: bool,
    addresses: &[u32],
) -> Result<Vec<u8>, String> {
    let Argument { number, pointer, stranger, bytes } = argument;
    let size = parameter.size as usize;
    if *stranger {
        return Err("it points to nothing that the kernels have: name an array of the description".into());
    }
    let value = number.as_ref().map(|text| text.parse().unwrap_or(f64::NAN));
    match (value, bytes, parameter.kind) {
        (Some(value), _, b'f') => Ok((value as f32).to_le_bytes().into()),
        (Some(value), _, b'i') => {
            let most = 2_f64.powi(8 * parameter.size as i32);
            if value.fract() != 0.0 || !(-most / 2.0..most).contains(&value) {
                return Err(format!("the parameter is a whole number of {size} bytes, and {value} is not"));
            }
            Ok((value as i128).to_le_bytes()[..size].into())
        }
        (Some(value), _, b'p') if value != 0.0 => Err("the parameter is a pointer: name an array".into()),
        (_, None, b'p') => Ok(address(*pointer, addresses).to_le_bytes().into()),
        (None, None, _) if as_word => Ok(address(*pointer, addresses).to_le_bytes().into()),
        (_, Some(bytes), b's') if bytes.len() == size => Ok(bytes.clone()),
        (None, None, _) => Err("the parameter is no pointer, and an array is one".into()),
        _ => Err(format!("the parameter is a value of a class with {size} bytes: write one of its type")),
    }
}

#[cfg(test)]
mod tests {
    use super::{arguments, Argument, Entry, LaunchAnswer, Parameter};

    const fn parameter(kind: u8, size: u32) -> Parameter {
        Parameter { kind, size, align: size }
    }

    fn block(parameters: &[Parameter], given: Vec<Argument>) -> Result<(Vec<u8>, Option<u32>), String> {
        let entry = Entry { address: 0, parameters: Some(parameters.to_vec()), shared: 0 };
        let launch = LaunchAnswer { number: 0, sizes: vec![], arguments: given };
        arguments(&launch, &entry, &[0x10000, 0x20000])
    }

    fn number(text: &str) -> Argument {
        Argument { number: Some(text.into()), ..Argument::default() }
    }

    fn pointer(array: usize, offset: u32) -> Argument {
        Argument { pointer: Some((array, offset)), ..Argument::default() }
    }

    #[test]
    fn arguments_stand_where_the_kernel_reads_them() {
        let parameters = [parameter(b'i', 1), parameter(b'p', 4), parameter(b'f', 4), parameter(b'i', 8)];
        let given = vec![number("-1"), pointer(1, 8), number("0.5"), number("4294967296")];
        let (block, whole) = block(&parameters, given).unwrap();
        assert_eq!(block, [0xff, 0, 0, 0, 8, 0, 2, 0, 0, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0][..]);
        assert_eq!(whole, None);
    }

    #[test]
    fn arguments_of_another_kind_are_refused() {
        let wrong = |kind, size, argument, text: &str| {
            let said = block(&[parameter(kind, size)], vec![argument]).unwrap_err();
            assert!(said.starts_with("argument 1: ") && said.contains(text), "{said}");
        };
        wrong(b'p', 4, number("8"), "is a pointer: name an array");
        wrong(b'i', 4, number("0.5"), "a whole number of 4 bytes, and 0.5 is not");
        wrong(b'i', 1, number("256"), "a whole number of 1 bytes");
        wrong(b'i', 4, number("nan"), "NaN is not");
        wrong(b'f', 4, pointer(0, 0), "is no pointer");
        wrong(b's', 8, number("1"), "a class with 8 bytes");
        wrong(b's', 8, Argument { bytes: Some(vec![0; 4]), ..Argument::default() }, "a class with 8 bytes");
        wrong(b'p', 4, Argument { stranger: true, ..Argument::default() }, "points to nothing");
        let said = block(&[], vec![number("1")]).unwrap_err();
        assert_eq!(said, "the kernel has 0 parameters, and args has 1");
    }
}
