//! What a module is written with, in one line: `use crate::rtl::prelude::*`.
//!
//! rust-hdl's own prelude; the macros that declare modules and bundles; cells, parts that only some cores have, the verbs and
//! kinds of bundles, the bundles themselves; types of what there is one of for each warp; the configuration.
pub use super::bundle::{logic, Data, Either, Held, Payload, Wires, Zero};
pub use super::bundles::*;
pub use super::cell::*;
pub use super::module::{Opt, Part};
pub use super::op::{AluOp, Collector, FpuOp, MultiplyOp};
pub use super::warps::*;
pub use crate::config::{bits_for, CoreConfig};
pub use crate::{bundle, clocked, comment, module, scheduler};
pub use rust_hdl::prelude::*;
