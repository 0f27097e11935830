//! The front end in rust-hdl's own simulator: schedule, instruction cache, decode, instruction buffer.
mod bench;
mod buffer;
mod cache;
mod decoder;
mod pipeline;
