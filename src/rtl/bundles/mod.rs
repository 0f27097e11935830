//! What travels between the units, declared once: [`bundle`](mod@hdl::bundle) says how.
mod axi;
mod collect;
mod count;
mod execute;
mod fault;
mod float;
mod front;
mod issue;
mod launch;
mod line;
mod memory;
mod sharing;
mod trace;

pub use axi::{Axi, AxiRead, AxiWrite};
pub(crate) use collect::{bank_bits, sources};
pub use collect::{CollectView, Collected, LaneWords};
pub use count::{Counted, CountedSlice, CounterTotal, COUNTER_NUMBER_BITS};
pub use execute::{
    Branch, CsrSources, Destination, FloatResult, InstructionHead, MaskChange, MemInstruction, OfferedResult,
    RegisterWrite, SfuEntry, SfuInstruction, SfuRequest, SpInstruction, UnitResult, Writeback,
};
pub use fault::Fault;
pub use float::{FmaTerms, KnownResult, LaneOperation, NumberClass, Unrounded};
pub(crate) use front::named_registers;
pub use front::{
    DecodedInstruction, Fetch, FetchAhead, FetchEvents, IssueFacts, Lookup, QueueEntry, QueueHeads,
    Registers, SecondWord,
};
pub use issue::{BackState, HeldOperands, Issue, IssueView, SliceInputs, Stalls};
pub use launch::{
    CoreControl, CtaMap, CtaStart, GridLaunch, GridShape, GridView, ThreadPlace, WarpStart, COORDINATE_BITS,
};
pub use line::{BusState, ByteStream, LineRequest, LineResponse, BUS_TAG_BITS, LINE_WORDS, MASTER_TAG_BITS};
pub use memory::{
    Access, BankAccess, BusEvents, CacheEvents, LaneGroup, LineLook, LoadEntry, LoadPart, LoadResult,
    LoadTarget, LocalEvents, MemOperation, MemoryActivity,
};
pub use sharing::{AbsentWarps, OperandWords, SharingView, SliceOrders, SliceState, Visit, CLASSES};
pub use trace::{OracleView, Trace, TraceSched};
