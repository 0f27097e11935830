//! Bundles: what belongs together travels together, as one field of a module and one statement of a module's logic.
//!
//! [`bundle!`](macro@crate::bundle) declares one: its fields, which way each goes, and their widths. Its parameter says what it is made of:
//! `Out` at the producer, `In` at the consumer, `Local` for wires of a module, [`Registered`] for registers, [`Zero`] for zeros. A module's logic connects two
//! with [`Wires::join`], or copies one to another, under a condition or not, with [`Data::join`]. A signal, a register, and an array of
//! either or of bundles are joined in the same way.
//!
//! In rust-hdl's own simulation these are ordinary functions. In a syntax tree a `join` is a link of two paths
//! ([`Wires::join_hdl`]); `verilog::link` resolves it over the signals that stand under them.
mod declare;
mod join;
mod kind;

pub use join::{logic, Data, Either, Joined, Joins, Payload, What, Wires};
pub use kind::{Kind, Nothing, Registered, Value, Wire, Zero};

/// Text of the `Constraint::Custom` that marks a signal that goes from the consumer to the producer; read by the back end.
pub(crate) const BACKWARD_MARK: &str = "backward";
/// Name of a link that takes forward signals alone.
pub(crate) const FORWARD_ONLY: &str = "forward";
/// Name of a link that takes forward signals alone, and of them those without reset.
pub(crate) const PAYLOAD_ONLY: &str = "payload";
/// Name of a link that adds forward signals to what their namesakes have been given.
pub(crate) const EITHER: &str = "either";
/// Text of the mark of a signal whose register has a reset.
pub(crate) const RESET_MARK: &str = "reset";
