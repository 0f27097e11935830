//! The hardware, in rust-hdl: [`core`] wires the stages ([`stage`]), units ([`mod@unit`]), memories ([`mem`]) and
//! schedulers ([`sched`]), all made of [`cell`]s.
#![warn(missing_docs)]

pub mod board;
pub mod bundles;
pub mod cell;
pub mod core;
pub mod mem;
pub mod op;
pub(crate) mod prelude;
pub mod sched;
pub mod sharing;
pub mod stage;
pub mod unit;
pub mod warps;

use hdl::prelude::Out;
use hdl::verilog::{self, Arrays, Design, Tree, VerilogError};
use spec::config::{BusKind, CoreConfig, Violation};

/// Name of the top module of every generated core.
pub const TOP: &str = "heddle";

/// Why no Verilog could be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The configuration breaks rules.
    #[error("the configuration is not possible:{}", lines(.0))]
    Config(Vec<Violation>),
    /// The hardware description is faulty: a bug in Heddle.
    #[error("the hardware description cannot be printed (a bug in heddle):{}", lines(.0))]
    Verilog(Vec<VerilogError>),
}

fn lines<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(|item| format!("\n  {item}")).collect()
}

/// The Verilog of a core; `header` heads every file, as comment lines.
///
/// # Errors
/// Every rule that `cfg` breaks, all at once.
pub fn generate(cfg: &CoreConfig, header: &[String]) -> Result<Design, GenerateError> {
    cfg.validate().map_err(GenerateError::Config)?;
    let design = match cfg.bus {
        BusKind::Native => verilog::emit(&mut core::Core::new(cfg), TOP, header),
        BusKind::Axi4 => verilog::emit(&mut core::AxiCore::new(cfg), TOP, header),
    };
    design.map_err(GenerateError::Verilog)
}

/// The signals of a core's trace port, as [`bundles::Trace`] declares them, by the names of the ports.
pub fn trace_signals(cfg: &CoreConfig) -> Arrays {
    verilog::arrays("trace", &bundles::Trace::<Out>::new(cfg))
}

/// The core as the back end reads it, to put variants of its parts side by side.
///
/// # Errors
/// As [`generate`].
pub fn read(cfg: &CoreConfig) -> Result<Tree, GenerateError> {
    cfg.validate().map_err(GenerateError::Config)?;
    let tree = match cfg.bus {
        BusKind::Native => Tree::read(&mut core::Core::new(cfg), TOP),
        BusKind::Axi4 => Tree::read(&mut core::AxiCore::new(cfg), TOP),
    };
    tree.map_err(GenerateError::Verilog)
}
