//! The pipeline stages, in the order in which an instruction meets them.
pub mod decode;
pub mod ibuffer;
