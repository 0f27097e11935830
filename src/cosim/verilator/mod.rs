//! Verilog text to a running model, at run time.
//!
//! The core's Verilog exists only once a configuration is chosen, so its model is built then:
//! [`build`] runs Verilator and a C++ compiler and keeps the shared object in a cache named by
//! everything that went into it; [`ModelLib`] loads it through the thin C++ interface of
//! `sim/shim.cpp`; a [`Model`] is one simulated instance, whose ports are read and written in
//! place through [`Port`] (width known in the source) or [`PortRef`] (width set by the
//! configuration).
//!
//! ```no_run
//! use cosim::verilator::{compile, BuildOptions, Port};
//! # fn main() -> Result<(), cosim::verilator::Error> {
//! let verilog = "module inverter(input a, output y); assign y = !a; endmodule";
//! let library = compile(verilog, "inverter", &BuildOptions::quick())?;
//! let (a, y): (Port<u8>, Port<u8>) = (library.port("a")?, library.port("y")?);
//! let mut model = library.instance()?;
//! model.set(a, 1);
//! model.eval()?;
//! assert_eq!(model.get(y), 0);
//! # Ok(()) }
//! ```
//!
//! Architecture invariant: this is the only place of the crate with `unsafe` code. It relies on
//! two facts, both checked or established here: a port's storage is a member of one C++ object,
//! so its offset from the first port is the same in every instance; and its type follows from
//! its width as [`PortValue`] says.

mod build;
mod cache;
mod circuit;
mod cplusplus;
mod error;
mod guided;
mod library;
mod lint;
mod model;
mod options;
mod port;
mod sources;
mod toolchain;
mod wave;

use std::sync::Arc;

pub use build::{build, build_trained, Built};
pub use cache::{cache_size, trim, SIZE_VARIABLE};
pub use error::{Error, Result};
pub use guided::Training;
pub use library::{Direction, ModelLib, PortInfo};
pub use lint::{lint, WAIVERS};
pub use model::{Model, Status};
pub use options::{BuildOptions, Profile};
pub use port::{Port, PortRef, PortValue};
pub use toolchain::Toolchain;

/// Builds (or finds in the cache) and loads the model of `verilog`'s module `top` with the tools
/// of the environment.
///
/// # Errors
/// See [`Error`]: a missing tool, Verilog that Verilator refuses, or an unusable cache directory.
pub fn compile(verilog: &str, top: &str, options: &BuildOptions) -> Result<Arc<ModelLib>> {
    let built = build(&Toolchain::discover()?, verilog, top, options)?;
    ModelLib::load(&built.path)
}

/// Binds a struct of typed ports by name:
/// `ports! { pub struct CorePorts { clock, reset: u8; mem_rsp_data: [u32; 16]; } }`, then
/// `CorePorts::bind(&library)?`.
#[macro_export]
macro_rules! ports {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($($port:ident),+: $type:ty;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        $vis struct $name {
            $($(
                #[doc = concat!("Port `", stringify!($port), "`.")]
                pub $port: $crate::verilator::Port<$type>,
            )+)*
        }
        impl $name {
            /// Finds every port in `library`.
            ///
            /// # Errors
            /// The first port that does not exist or has another width.
            $vis fn bind(
                library: &$crate::verilator::ModelLib,
            ) -> $crate::verilator::Result<Self> {
                Ok(Self { $($($port: library.port(stringify!($port))?,)+)* })
            }
        }
    };
}
