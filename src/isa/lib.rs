//! The instruction set: RV32I, M, F, Zicsr, Zifencei, Zicond and the six SIMT instructions.
//!
//! [`table`] is the one source of truth. The decoder of the RTL, the reference model's exhaustive
//! match, the assembler, the disassembler and the random-program generator all come from it, and
//! because a wrong row would fool them all alike, `tests/isa_table.rs` compares every row with GNU as
//! and objdump.
#![warn(missing_docs)]

pub mod asm;
pub mod counter;
pub mod csr;
pub mod decode;
pub mod disasm;
pub mod encode;
mod extensions;
pub mod format;
pub mod image;
pub mod random;
pub mod reg;
pub mod rounding;
pub mod table;

pub use decode::{decode, decode_in, has_atomic_opcode};
pub use disasm::disassemble;
pub use encode::{encode, EncodeError, Operands};
pub use extensions::Extensions;
pub use format::Format;
pub use image::Image;
pub use rounding::Rounding;
pub use table::{Instr, Latency, Op, Unit, ISA};
