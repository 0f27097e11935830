//! The signals of the trace port, found by their names: what a core has, and how long its arrays are, its declaration says
//! (`rtl::bundles::Trace`).

use hdl::verilog::Arrays;
use spec::config::CoreConfig;

use super::elements::Elements;
use super::verilator::{ModelLib, PortRef, Result};

/// The trace port of a simulator.
pub(super) struct Declared<'a> {
    library: &'a ModelLib,
    signals: Arrays,
}

impl<'a> Declared<'a> {
    pub(super) fn new(library: &'a ModelLib, cfg: &CoreConfig) -> Self {
        Self { library, signals: rtl::trace_signals(cfg) }
    }

    /// The dimensions of a signal; of one that the core does not have there are none.
    pub(super) fn dimensions(&self, name: &str) -> &[usize] {
        self.signals.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Signals, by their name or by what their names begin with.
pub(super) trait Bind: Sized {
    /// The signal `name`, or those that are called `name_*`.
    fn bind(trace: &Declared, name: &str) -> Result<Self>;
    /// Whether the core has them.
    fn is_there(trace: &Declared, name: &str) -> bool {
        trace.signals.contains_key(name)
    }
}

/// A signal, or a bit for each element of an array.
impl Bind for PortRef {
    fn bind(trace: &Declared, name: &str) -> Result<Self> {
        trace.library.port_ref(name)
    }
}

/// An array.
impl Bind for Elements {
    fn bind(trace: &Declared, name: &str) -> Result<Self> {
        Ok(Self::new(trace.library.port_ref(name)?, trace.dimensions(name).iter().product()))
    }
}

/// What only some cores have.
impl<T: Bind> Bind for Option<T> {
    fn bind(trace: &Declared, name: &str) -> Result<Self> {
        T::is_there(trace, name).then(|| T::bind(trace, name)).transpose()
    }
}

/// Declares a group of signals: each field is the signal of its name, behind that of the group; `as` gives a field another
/// beginning.
#[macro_export]
macro_rules! trace_signals {
    ($($(#[$meta:meta])* $name:ident { $($($field:ident $(as $begins:literal)?),+: $type:ty;)* })*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy)]
        pub(super) struct $name {
            $($(pub(super) $field: $type,)+)*
        }

        impl $crate::declared::Bind for $name {
            fn bind(
                trace: &$crate::declared::Declared,
                name: &str,
            ) -> $crate::verilator::Result<Self> {
                Ok(Self {
                    $($($field: $crate::declared::Bind::bind(
                        trace,
                        &$crate::trace_signals!(@name name $field $($begins)?),
                    )?,)+)*
                })
            }
            fn is_there(trace: &$crate::declared::Declared, name: &str) -> bool {
                $($(<$type as $crate::declared::Bind>::is_there(
                    trace,
                    &$crate::trace_signals!(@name name $field $($begins)?),
                ) ||)+)* false
            }
        })*
    };
    (@name $name:ident $field:ident) => { format!("{}_{}", $name, stringify!($field)) };
    (@name $name:ident $field:ident $begins:literal) => { String::from($begins) };
}
