//! The front end and its cells in rust-hdl's own simulator: schedule, instruction cache, decode, instruction buffer.
mod bench;
mod buffer;
mod cache;
mod cells;
mod decoder;
mod front_end;
mod order;
mod pipeline;
mod shadow;
mod verilog;
