//! What the back end can object to; every message names the module and the signal.
use thiserror::Error;

/// One reason why a design cannot be printed as Verilog.
#[derive(Clone, Debug, Error, PartialEq, Eq, PartialOrd, Ord)]
#[error("{module}: {message}")]
pub struct VerilogError {
    /// Instance path of the module, from the top.
    pub module: String,
    /// What is wrong, with the signal's name as the Rust source has it.
    pub message: String,
}

impl VerilogError {
    pub(super) fn new(module: impl Into<String>, message: impl Into<String>) -> Self {
        Self { module: module.into(), message: message.into() }
    }
}
