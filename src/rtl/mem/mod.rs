//! The memory side: caches, local memory, coalescing and the bus.
pub mod icache;
