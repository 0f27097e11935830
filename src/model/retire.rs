//! The record of one executed instruction.

use super::warp::Lanes;
use isa::Op;

/// What a load, store or atomic instruction asks of memory. Only the lanes of the instruction's mask are meaningful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// It is a store; else it has a result.
    pub store: bool,
    /// The access size as the instruction encodes it: 0 byte, 1 half word, 2 word.
    pub funct3: u8,
    /// Whether a load extends bytes and half words by their sign.
    pub signed: bool,
    /// Where in memory each lane's access is.
    pub addr: Lanes,
    /// Each lane's source register. The low bytes are what is stored; a load has none, and what is here means nothing.
    pub data: Lanes,
}

impl MemoryAccess {
    /// Bytes that each lane loads or stores.
    pub fn size(&self) -> u32 {
        1 << self.funct3
    }
}

/// One executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retire {
    /// The warp.
    pub wid: usize,
    /// The instruction's address.
    pub pc: u32,
    /// The instruction word.
    pub raw: u32,
    /// The decoded operation.
    pub op: Op,
    /// The lanes that executed it.
    pub tmask: u32,
    /// How many they are.
    pub lanes: u32,
    /// The register written, 32 and up for the floating-point ones; `None` also for x0.
    pub rd: Option<u8>,
    /// What the lanes of `tmask` wrote to `rd`; the other lanes are meaningless. Those of a load or atomic instruction are
    /// known when it has been performed; until then AMOCAS has here what it compares with.
    pub values: Lanes,
    /// Whether `values` depends on timing: the caller should replace it, see
    /// [`Machine::patch`](super::Machine::patch).
    pub volatile: bool,
    /// The floating-point exceptions it raised in any lane, as `fflags` has them.
    pub fflags: u32,
    /// Whether it is a jump, or a branch whose condition holds.
    pub taken: bool,
    /// It is a load, a store or an atomic instruction.
    pub(super) accesses: bool,
    /// Where, and what is stored, of one of these. No `Option`: its lanes are written where they are.
    pub(super) access: MemoryAccess,
}

impl Retire {
    /// The register that hardware writes, which may be x0 ([`Op::writes_x0`]).
    #[inline]
    pub fn written(&self) -> Option<u8> {
        self.rd.or(Some(0).filter(|_| self.op.writes_x0()))
    }

    /// A record of nothing, for [`Machine::issue_to`](super::Machine::issue_to).
    pub fn blank() -> Self {
        Self {
            wid: 0,
            pc: 0,
            raw: 0,
            op: Op::Addi,
            tmask: 0,
            lanes: 0,
            rd: None,
            values: [0; 32],
            volatile: false,
            fflags: 0,
            taken: false,
            accesses: false,
            access: MemoryAccess { store: false, funct3: 2, signed: false, addr: [0; 32], data: [0; 32] },
        }
    }

    /// The same record with an access to memory.
    pub fn with_access(self, access: MemoryAccess) -> Self {
        Self { accesses: true, access, ..self }
    }

    /// For loads, stores and atomic instructions: where, and what is stored.
    #[inline]
    pub fn access(&self) -> Option<&MemoryAccess> {
        self.accesses.then_some(&self.access)
    }

    /// What is stored, of one of these.
    pub fn access_mut(&mut self) -> Option<&mut MemoryAccess> {
        self.accesses.then_some(&mut self.access)
    }
}
