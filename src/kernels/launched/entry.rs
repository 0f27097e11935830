//! A kernel in its program: where it begins, and what it is called with.

use loader::{Program, Segment};

/// A parameter of a kernel, as the core sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// `p`, `f`, `i`, `b` for `bool`, or `s` for a class.
    pub kind: u8,
    pub size: u32,
    pub align: u32,
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
            let bytes = (0..).map_while(|i| byte(program, at + i));
            let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
            text.chunks_exact(3)
                .map(|p| Parameter { kind: p[0], size: p[1].into(), align: p[2].into() })
                .collect()
        });
        Some(Self { address, parameters, shared })
    }
}

/// The byte at an address, if a segment has it.
pub(super) fn byte(program: &Program, address: u32) -> Option<u8> {
    let within = |s: &Segment| s.bytes.get(address.checked_sub(s.address)? as usize).copied();
    program.segments.iter().find_map(within)
}
