//! The line bus: between the caches, the load-store unit, the arbiter, what speaks AXI4, and memory.
use crate::prelude::*;
use spec::config::{LINE_BYTES, MASTER_READS};

/// 32-bit words in a line.
pub const LINE_WORDS: usize = LINE_BYTES / 4;
/// Bits of the tag by which a master tells its own requests apart.
pub const MASTER_TAG_BITS: usize = MASTER_READS.ilog2() as usize;
/// Bits of the tag on the core's bus: the master's number is at the top, bit 7 marks the instruction cache.
pub const BUS_TAG_BITS: usize = 8;

bundle! {
    /// A request for a line; it stays as it is until it is accepted.
    pub struct LineRequest(tag_bits: usize) {
        forward {
            /// There is one.
            valid: reset Bit,
            /// 1 writes, 0 reads.
            rw: Bit,
            /// Bytes to write.
            byteen: Bits<64>,
            /// Line address: byte address / 64.
            addr: Bits<26>,
            /// 16 words to write.
            data: [Bits<32>; LINE_WORDS],
            /// Comes back with the line that is read.
            tag: Bits<16> = tag_bits,
        }
        backward {
            /// The request is accepted in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// A line that was read; it stays until it is taken. Lines come in any order.
    pub struct LineResponse(tag_bits: usize) {
        forward {
            /// There is one.
            valid: reset Bit,
            /// 16 words read.
            data: [Bits<32>; LINE_WORDS],
            /// Tag of the request.
            tag: Bits<16> = tag_bits,
        }
        backward {
            /// The line is taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// What whoever speaks another protocol for a core knows of the core's accesses.
    pub struct BusState() {
        forward {
            /// A write has left the core and may not have been performed yet.
            writes_pending: Bit,
            /// A data access failed.
            error_valid: Bit,
            /// Its line.
            error_line: Bits<26>,
        }
    }
}

bundle! {
    /// Bytes of text, one after the other.
    pub struct ByteStream() {
        forward {
            /// There is one.
            valid: Bit,
            /// The byte.
            byte: Bits<8>,
        }
        backward {
            /// It is taken.
            ready: Bit,
        }
    }
}
