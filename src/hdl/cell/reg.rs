//! Registers: [`Reg`] is cleared by the enclosing module's `reset`, [`Pipe`] holds data that needs no reset.
use super::width::{mark, signal_of, Const};
use rust_hdl::prelude::*;

/// `TimingInfo::name` by which the back end knows a register and prints it inline.
pub(crate) const REGISTER: &str = "heddle_register";
/// Name of the atom that carries the reset value of a register that has one.
pub(crate) const RESET_VALUE: &str = "reset_value";

/// Implements [`Logic`] for a register.
macro_rules! register {
    ($name:ident) => {
        impl<T: Synth> Logic for $name<T> {
            fn update(&mut self) {
                if self.clock.pos_edge() {
                    self.q.next = self.d.val();
                }
            }
            fn connect(&mut self) {
                self.q.connect();
            }
            fn hdl(&self) -> Verilog {
                Verilog::Custom("always @(posedge clock) q <= d;".into())
            }
            fn timing(&self) -> Vec<TimingInfo> {
                let (inputs, outputs) = (vec!["d".into()], vec!["q".into()]);
                vec![TimingInfo { name: REGISTER.into(), clock: "clock".into(), inputs, outputs }]
            }
        }
    };
}
register!(Reg);
register!(Pipe);

/// A register with a synchronous, active-high reset.
///
/// Used like a `DFF`: `dff_setup!(self, clock, state)`, then `self.state.d.next` and `self.state.q.val()`.
/// The owning module must have `clock: Signal<In, Clock>` and `reset: Signal<In, Bit>`; the Verilog is
/// `always @(posedge clock) if (reset) q <= value; else q <= d;`, without an `initial`.
/// rust-hdl's own simulator has no notion of that reset: there a register starts at its reset value.
#[derive(Clone, Debug, LogicBlock)]
pub struct Reg<T: Synth> {
    /// Rising edge loads `d`.
    pub clock: Signal<In, Clock>,
    /// Value after the next edge.
    pub d: Signal<In, T>,
    /// Present value.
    pub q: Signal<Out, T>,
    reset_value: Const<T>,
}

impl<T: Synth> Default for Reg<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Synth> Reg<T> {
    /// A register as wide as its type, reset to the type's default (0, or the first variant).
    pub fn new() -> Self {
        Self::resetting_to(T::default())
    }

    /// A register as wide as its type, reset to `value`.
    pub fn resetting_to(value: T) -> Self {
        Self::made(T::BITS, value)
    }

    /// A register of `width` bits, reset to the type's default.
    pub fn of(width: usize) -> Self {
        Self::made(width, T::default())
    }

    fn made(width: usize, value: T) -> Self {
        let mut q = Signal::new_with_default(value);
        q.add_constraint(mark(width));
        Self {
            clock: Signal::default(),
            d: signal_of(width),
            q,
            reset_value: Const::with_width(width, value),
        }
    }
}

impl<const N: usize> Reg<Bits<N>> {
    /// A register of `width` bits in a type of at most `N`, reset to 0.
    pub fn width(width: usize) -> Self {
        Self::of(width)
    }

    /// A register of `width` bits in a type of at most `N`, reset to `value` (which must fit in `width` bits).
    pub fn with_reset(width: usize, value: u64) -> Self {
        Self::made(width, super::constant(width, value).val())
    }
}

/// A register without reset, for data that a resettable valid bit guards: `always @(posedge clock) q <= d;`.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Pipe<T: Synth> {
    /// Rising edge loads `d`.
    pub clock: Signal<In, Clock>,
    /// Value after the next edge.
    pub d: Signal<In, T>,
    /// Present value.
    pub q: Signal<Out, T>,
}

impl<T: Synth> Pipe<T> {
    /// A register as wide as its type.
    pub fn new() -> Self {
        Self::default()
    }

    /// A register of `width` bits.
    pub fn of(width: usize) -> Self {
        Self { clock: Signal::default(), d: signal_of(width), q: signal_of(width) }
    }
}

impl<const N: usize> Pipe<Bits<N>> {
    /// A register of `width` bits in a type of at most `N`.
    pub fn width(width: usize) -> Self {
        Self::of(width)
    }
}

/// `count` registers of `width` bits, reset to 0.
pub fn regs<const N: usize>(count: usize, width: usize) -> Vec<Reg<Bits<N>>> {
    (0..count).map(|_| Reg::<Bits<N>>::width(width)).collect()
}

/// `count` registers of `width` bits without reset.
pub fn pipes<const N: usize>(count: usize, width: usize) -> Vec<Pipe<Bits<N>>> {
    (0..count).map(|_| Pipe::<Bits<N>>::width(width)).collect()
}
