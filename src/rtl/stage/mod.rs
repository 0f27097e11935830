//! The pipeline stages, in the order in which an instruction meets them.
pub mod banked;
pub mod collector;
pub mod commit;
pub mod decode;
pub mod hazard;
pub mod ibuffer;
pub mod issue;
pub mod operands;
pub mod register_file;
pub mod schedule;
pub mod scoreboard;
