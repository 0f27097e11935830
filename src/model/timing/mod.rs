//! The timing model: which warp issues which instruction in every cycle, computed without the hardware.
//!
//! All that decides it is known to a model: each warp's own path, which the functional model gives with its dividends and
//! addresses, the policies, the latencies of the configuration, the caches, and when memory answers. [`TimingModel`] computes
//! from these who has each issue slot, what observers are told of each cycle ([`Record`]), and when the program ends.
//!
//! It is written from the timing that ARCHITECTURE.md and the modules' documentation state, one small file a structure:
//! the front end (`front`, `fetch`, `queue`, `heads`, `icache`, `fills`, `code`), blocks (`dispatcher`), issue (`slice`, `scoreboard`, `execute`,
//! `sharing`, `collect`), the units (`work`, `units`, `special`, `order`, `commit`), the load-store unit (`lsu`, `access`, `loads`,
//! `path`), the data cache (`dcache`) and the bus (`bus`, `arbiter`, and `port` with `native` or `axi`); `cycle`, with `choice`
//! and `edge`, is a clock cycle of all, and `quiet` leaves out those in which nothing can happen, of which `skip` has what is
//! known. Values come from [`Machine`](super::Machine), which executes each instruction when it issues, and its access to
//! memory when the load-store unit takes it. What is assumed besides stands in ARCHITECTURE.md, "The timing model".
//!
//! The code of a core is compiled twice, for one slice with one path to memory and for several (`few`). What runs in most cycles
//! the compiler does not always inline by itself: hence `inline(always)`, a sixth of the speed. The steps of memory instructions
//! are faster as a function of their own, and so is what the machine does for an instruction (`inline(never)`). What seldom runs
//! is kept apart too: the code of a cycle does not fit the processor's first cache.
//!
//! A value that is written field by field is not copied in the same cycle: the processor would wait until the fields have left
//! it before it reads them together. So instructions and records are completed where they stay.
//!
//! Within a cycle the parts are asked from the sink to the source: a part first says whether it takes something, then
//! its predecessor moves.

mod access;
mod arbiter;
mod axi;
mod bus;
mod choice;
mod code;
mod collect;
mod commit;
mod core;
mod cycle;
mod dcache;
mod dispatcher;
mod edge;
mod execute;
mod fetch;
mod few;
mod fills;
mod free_number;
mod front;
mod heads;
mod icache;
mod instr;
mod interface;
mod latencies;
mod loads;
mod lsu;
mod native;
mod now;
mod order;
mod path;
mod port;
mod queue;
mod quiet;
mod record;
mod request;
mod scoreboard;
mod sharing;
mod skip;
mod slice;
mod special;
mod traffic;
mod units;
mod work;

use super::members;
pub use access::{Access, Banks, Kind};
pub use axi::{AxiTiming, Burst, Bursts, Channels};
pub use core::{Reset, Stop};
pub use instr::collector;
pub use interface::{timing_model, Seen, TimingModel};
pub use latencies::Latencies;
pub use native::{MemoryTiming, RowStats};
pub use port::MemoryPort;
pub use record::{
    Begun, BusRecord, CacheRecord, CollectRecord, Issued, LocalRecord, Record, SliceRecord, Written,
};
pub use traffic::Traffic;
pub use work::Collector;

/// A number modulo a power of two: without the division, as the compiler does not know the power.
fn modulo(number: usize, power_of_two: usize) -> usize {
    debug_assert!(power_of_two.is_power_of_two());
    number & (power_of_two - 1)
}

/// The slice of a warp, of one, two or four.
fn slice_of(wid: usize, slices: usize) -> usize {
    modulo(wid, slices)
}

/// What the special unit, a divider or a pipeline is about to write: register `rd` of warp `wid`, in so many lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Result {
    wid: u8,
    rd: u8,
    lanes: u8,
}
