//! A kernel in its program: where it begins, and what it is called with; and variables that a launch fills.

use loader::{Program, Segment};
use serde::Deserialize;

use crate::Inputs;

/// What an array, a variable, or what a pointer points to consists of, as `simt_cuda_elements.h` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Element {
    /// `p` for pointers, `f` for floating-point numbers, `i` for integers, `b` for `bool`, `s` for classes, `v` for anything.
    pub kind: char,
    /// Bytes, where pointers have 4; 0 of anything.
    pub bytes: u32,
}

impl Element {
    /// Anything.
    pub const ANY: Self = Self { kind: 'v', bytes: 0 };

    /// Whether the host's elements mean on the core what they mean to the host.
    ///
    /// # Errors
    /// They do not.
    pub fn fits(self, core: Self) -> Result<(), String> {
        let numbers = |float: Self, whole: Self| float.kind == 'f' && matches!(whole.kind, 'i' | 'b');
        if self == Self::ANY || core == Self::ANY {
            Ok(())
        } else if self.bytes != core.bytes {
            Err(format!(
                "on the host its elements have {} bytes, and {} on the core, where double is float, and long, size_t and \
                 pointers have 32 bits: give the array a type that has the same size on both sides",
                self.bytes, core.bytes
            ))
        } else if numbers(self, core) || numbers(core, self) {
            let name = |kind| if kind == 'f' { "floating-point numbers" } else { "whole numbers" };
            Err(format!(
                "its elements are {} on the host, and {} on the core: give the array another type",
                name(self.kind),
                name(core.kind)
            ))
        } else {
            Ok(())
        }
    }
}

/// A parameter of a kernel, as the core sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// As [`Element::kind`], of the parameter itself.
    pub kind: char,
    pub size: u32,
    pub align: u32,
    /// What it points to.
    pub element: Element,
}

/// What a kernel's entry is like.
pub(super) struct Entry {
    pub address: u32,
    /// The parameters of a kernel of CUDA; one that is written for this core gets a word.
    pub parameters: Option<Vec<Parameter>>,
    /// Bytes of its `__shared__` variables.
    pub shared: u32,
}

impl Entry {
    /// That of the kernel `symbol`, if the program has it.
    pub fn find(program: &Program, symbol: &str) -> Option<Self> {
        let address = *program.symbols.get(symbol)?;
        let shared = program.symbols.get("__simt_shared_bytes").copied().unwrap_or(0);
        let parameters = program.symbols.get(&format!("{symbol}_parameters")).map(|&at| {
            let all = (at..).step_by(20).map_while(|at| words::<5>(program, at));
            let all = all.take_while(|[kind, ..]| *kind != 0);
            all.map(|[kind, size, align, of, bytes]| Parameter {
                kind: letter(kind),
                size,
                align,
                element: Element { kind: letter(of), bytes },
            })
            .collect()
        });
        Some(Self { address, parameters, shared })
    }
}

/// The address of a variable, and what it consists of: of one that a `.cu` file uses as the program has it, else as the linker
/// knows it.
pub(super) fn variable(program: &Program, name: &str) -> Option<(u32, Element)> {
    match program.symbols.get(&Inputs::address_of(name)) {
        Some(&at) => {
            words(program, at).map(|[address, kind, bytes]| (address, Element { kind: letter(kind), bytes }))
        }
        None => program.symbols.get(name).map(|&address| (address, Element::ANY)),
    }
}

fn letter(word: u32) -> char {
    char::from_u32(word).unwrap_or('v')
}

/// The words from an address on, if a segment has them.
fn words<const N: usize>(program: &Program, address: u32) -> Option<[u32; N]> {
    let within = |segment: &Segment| {
        let begin = address.checked_sub(segment.address)? as usize;
        let bytes = segment.bytes.get(begin..begin.checked_add(4 * N)?)?;
        Some(std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|j| bytes[4 * i + j]))))
    };
    program.segments.iter().find_map(within)
}
