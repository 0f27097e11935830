//! The schedule of a program under SWaS, computed without the hardware.
//!
//! SWaS makes the order of issue depend on nothing that a model cannot know: on each warp's own path, which the
//! functional model gives with its dividends, on the latencies of the configuration, and on the instruction cache. [`Predictor`] computes
//! from these which warp has each cycle's issue slot, with which instruction or NOP, and when the program ends.
//!
//! It is written from the timing that ARCHITECTURE.md and the modules' documentation state, one small file a structure:
//! the front end (`front`, `icache`, `fills`), blocks (`dispatcher`), issue (`scoreboard`, `execute`), the units (`units`, `special`), the load-store unit (`lsu`,
//! `access`), the data cache (`dcache`) and the bus (`bus`). Values come from [`Machine`](super::Machine), which executes
//! each instruction when it issues. What is assumed besides stands in ARCHITECTURE.md, "Predicting the schedule".
//!
//! Within a cycle the parts are asked from the sink to the source: a part first says whether it takes something, then
//! its predecessor moves.

mod access;
mod bus;
mod core;
mod dcache;
mod dispatcher;
mod execute;
mod fetch;
mod fills;
mod front;
mod icache;
mod instr;
mod latencies;
mod lsu;
mod order;
mod record;
mod scoreboard;
mod slice;
mod special;
mod traffic;
mod units;

use super::members;
pub use access::{Access, Kind};
pub use bus::MemoryTiming;
pub use core::{Predictor, Slot, Stop};
pub use instr::{collector, Collector};
pub use latencies::Latencies;
pub use record::{BusRecord, CacheRecord, Issued, Loaded, Record, SliceRecord};
pub use traffic::Traffic;

/// What the special unit, a divider or a pipeline is about to write: register `rd` of warp `wid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Result {
    wid: u8,
    rd: u8,
}
