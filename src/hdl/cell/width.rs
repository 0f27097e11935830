//! Run-time widths: a signal's Rust type gives the maximum, a mark on the signal the width that is built.
use crate::module::{marked, Part, DESCRIPTION_MARK};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// Prefix of the `Constraint::Custom` text that carries a configured width; read by the Verilog back end.
pub const WIDTH_MARK: &str = "width=";

pub(super) fn mark(width: usize) -> PinConstraint {
    marked(WIDTH_MARK, width.max(1))
}

/// A signal of at most `N` bits that the Verilog declares `width` bits wide.
///
/// A width of 0 counts as 1 (the identifier of the only warp still has a wire); a width above `N` is reported
/// by the back end, with the signal's path. rust-hdl's own simulator computes with all `N` bits, so a module's logic
/// must not let garbage above `width` reach a comparison (the Verilog compares `width` bits).
pub fn signal<D: Direction, const N: usize>(width: usize) -> Signal<D, Bits<N>> {
    signal_of(width)
}

/// A signal of any type that the Verilog declares `width` bits wide, as [`signal`] does.
pub fn signal_of<D: Direction, T: Synth>(width: usize) -> Signal<D, T> {
    let mut signal = Signal::default();
    signal.add_constraint(mark(width));
    signal
}

/// `count` signals as [`signal`] makes them: an array of the module's ports or locals.
pub fn signals<D: Direction, const N: usize>(count: usize, width: usize) -> Vec<Signal<D, Bits<N>>> {
    (0..count).map(|_| signal(width)).collect()
}

/// A constant of `width` bits in a type of at most `N`; see [`Const`].
///
/// A value that does not fit in `width` bits is reported by the back end; one that does not fit in `N` bits is cut.
pub fn constant<const N: usize>(width: usize, value: u64) -> Const<Bits<N>> {
    let fits = if N < 64 { value & ((1 << N) - 1) } else { value };
    Const::with_width(width, fits.into())
}

/// A constant that may carry a configured width: rust-hdl's `Constant` has no place for one.
///
/// Use it as `self.field.val()` in a module's logic. The Verilog has a `localparam` of the configured width.
#[derive(Clone, Debug)]
pub struct Const<T: Synth> {
    value: T,
    width: Option<usize>,
    about: Option<&'static str>,
    id: usize,
}

impl<T: Synth> Const<T> {
    /// A constant as wide as its type.
    pub fn new(value: T) -> Self {
        Self { value, width: None, about: None, id: get_signal_id() }
    }

    /// The value, for a module's logic.
    pub fn val(&self) -> T {
        self.value
    }

    pub(crate) fn with_width(width: usize, value: T) -> Self {
        Self { width: Some(width), ..Self::new(value) }
    }

    /// Zero, or the first variant.
    pub(crate) fn of(width: usize) -> Self {
        Self::with_width(width, T::default())
    }
}

impl<T: Synth> Part for Const<T> {
    fn describe(&mut self, text: &'static str) {
        self.about = Some(text);
    }
}

impl<T: Synth> Logic for Const<T> {
    fn update(&mut self) {}
}

impl<T: Synth> Atom for Const<T> {
    fn bits(&self) -> usize {
        T::BITS
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }
    fn descriptor(&self) -> TypeDescriptor {
        T::descriptor()
    }
    fn vcd(&self) -> VCDValue {
        self.value.vcd()
    }
    fn id(&self) -> usize {
        self.id
    }
    fn verilog(&self) -> VerilogLiteral {
        self.value.verilog()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        let about = self.about.map(|text| marked(DESCRIPTION_MARK, text.trim()));
        self.width.map(mark).into_iter().chain(about).collect()
    }
}

impl<T: Synth> Block for Const<T> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}
