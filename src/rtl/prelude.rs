//! What a module of the core is written with, in one line: `use crate::prelude::*`.
//!
//! The HDL's prelude; the bundles between stages and units; cells; types of what there is one of for each warp; the
//! configuration.
pub use crate::bundles::*;
pub use crate::cell::*;
pub use crate::op::{AluOp, Collector, FpuOp, MultiplyOp};
pub use crate::scheduler;
pub use crate::warps::*;
pub use hdl::prelude::*;
pub use spec::config::{bits_for, CoreConfig};
