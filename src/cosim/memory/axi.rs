//! AXI4: what the two sides of the bus drive in a cycle, a memory behind it, and a checker of the protocol.
//!
//! Source: AMBA AXI and ACE Protocol Specification, IHI 0022E.

mod checker;
mod contents;
mod schedule;
mod slave;
mod timing;

pub use checker::{AxiChecker, AxiViolation};
pub use slave::AxiMemory;
pub(crate) use timing::AxiSchedule;

/// Largest beat, in 32-bit words.
pub const BEAT_WORDS: usize = 16;
/// INCR, in `burst`.
pub const INCR: u8 = 1;
/// What an access to an address without memory is answered.
pub const DECERR: u8 = 3;

/// A burst on an address channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Transactions of one id are performed in order.
    pub id: u8,
    /// Byte address of the first beat.
    pub address: u32,
    /// Beats less one.
    pub len: u8,
    /// Bytes in a beat, as a power of two.
    pub size: u8,
    /// FIXED, INCR or WRAP.
    pub burst: u8,
    /// Bit 2: instructions.
    pub prot: u8,
    /// Bit 1: modifiable; bits 2 and 3 say how to allocate.
    pub cache: u8,
}

impl Address {
    /// Bytes in a beat.
    pub fn bytes(&self) -> u32 {
        1 << self.size
    }

    /// Beats in the burst.
    pub fn beats(&self) -> u32 {
        u32::from(self.len) + 1
    }

    /// Address of beat `n` of an INCR burst; all but the first are aligned.
    pub fn beat(&self, n: u32) -> u32 {
        if n == 0 {
            self.address
        } else {
            (self.address & !(self.bytes() - 1)).wrapping_add(n * self.bytes())
        }
    }

    /// The byte lanes that beat `n` of an INCR burst may use, on channels of `width` bytes.
    pub fn lanes(&self, n: u32, width: u32) -> u64 {
        let address = self.beat(n);
        let first = address % width;
        let end = (address & !(self.bytes() - 1)) % width + self.bytes();
        (first..end.min(64)).fold(0, |mask, lane| mask | 1 << lane)
    }

    /// Whether instructions are read, which may be fetched ahead past the end of memory.
    pub fn is_fetch(&self) -> bool {
        self.prot & 4 != 0
    }
}

/// A beat of the write data channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteBeat {
    /// The words, as many as the channel is wide.
    pub data: [u32; BEAT_WORDS],
    /// Bytes to write.
    pub strobes: u64,
    /// The burst's last beat.
    pub last: bool,
}

/// A beat of the write response channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteResponse {
    /// Id of the write.
    pub id: u8,
    /// 0 if it was performed.
    pub resp: u8,
}

/// A beat of the read data channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadBeat {
    /// Id of the read.
    pub id: u8,
    /// The words, as many as the channel is wide.
    pub data: [u32; BEAT_WORDS],
    /// 0 if it was performed.
    pub resp: u8,
    /// The burst's last beat.
    pub last: bool,
}

/// What the master drives in a cycle; `None` where `valid` is low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Master<Beat = WriteBeat> {
    /// AW.
    pub aw: Option<Address>,
    /// W.
    pub w: Option<Beat>,
    /// BREADY.
    pub bready: bool,
    /// AR.
    pub ar: Option<Address>,
    /// RREADY.
    pub rready: bool,
}

/// What the slave drives in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slave {
    /// AWREADY.
    pub awready: bool,
    /// WREADY.
    pub wready: bool,
    /// B.
    pub b: Option<WriteResponse>,
    /// ARREADY.
    pub arready: bool,
    /// R.
    pub r: Option<ReadBeat>,
}

#[cfg(test)]
mod tests;
