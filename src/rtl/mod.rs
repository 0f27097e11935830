//! (described with its first content)
pub mod cell;
