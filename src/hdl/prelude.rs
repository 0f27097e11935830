//! What a module is written with: rust-hdl's own prelude, the macros that declare modules and bundles, cells, parts that
//! only some designs have, the verbs and kinds of bundles.
pub use crate::bundle::{logic, Data, Either, Payload, Registered, Wires, Zero};
pub use crate::cell::*;
pub use crate::module::{Opt, Part};
pub use crate::{bundle, clocked, comment, module};
pub use rust_hdl::prelude::*;
