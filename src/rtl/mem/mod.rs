//! The memory side: caches, local memory, coalescing and the bus.
mod access;
mod access_input;
mod bank_arbiter;
mod bus;
mod coalescer;
pub mod icache;
mod load_align;
mod load_return;
mod load_table;
mod load_tracker;
pub(crate) mod local_mem;
mod pass;
mod request_buffer;
mod store_align;

pub use access::AccessStage;
pub use access_input::AccessInput;
pub use bank_arbiter::BankArbiter;
pub use bus::MemoryArbiter;
pub use coalescer::Coalescer;
pub use load_align::LoadAligner;
pub use load_return::LoadReturn;
pub use load_table::LoadTable;
pub use load_tracker::LoadTracker;
pub use local_mem::LocalMemory;
pub use pass::PassStage;
pub use request_buffer::RequestBuffer;
pub use store_align::StoreAligner;
