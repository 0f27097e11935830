//! Bundles: what belongs together travels together, as one field of a module and one statement of a kernel.
//!
//! [`bundle!`](crate::bundle) declares one: its fields, which way each goes, and their widths. Its parameter says what it is made of:
//! `Out` at the producer, `In` at the consumer, `Local` for wires of a module, [`Held`] for registers, [`Zero`] for zeros. A kernel connects two
//! with [`Wires::join`], or copies one to another, under a condition or not, with [`Data::join`]. A signal, a register, and an array of
//! either or of bundles are joined in the same way.
//!
//! In rust-hdl's own simulation these are ordinary functions. In a syntax tree a `join` is a link of two paths
//! ([`Wires::join_hdl`]); `verilog::link` resolves it over the signals that stand under them.
mod declare;

use super::cell::{signal_of, Const, Pipe, Reg};
use super::module::{Opt, Part};
use super::op::{Collector, FpuOp};
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};
use rust_hdl::prelude::*;
use std::marker::PhantomData;

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

/// What a signal of a bundle can carry.
pub trait Value: Synth {
    /// Both values, bit by bit; of the values of an `enum` one is the first.
    fn or(self, other: Self) -> Self;
}

impl Value for Bit {
    fn or(self, other: Self) -> Self {
        self | other
    }
}
impl<const N: usize> Value for Bits<N> {
    fn or(self, other: Self) -> Self {
        self | other
    }
}

macro_rules! enum_value {
    ($name:ident) => {
        impl Value for $name {
            fn or(self, other: Self) -> Self {
                if self == Self::default() {
                    other
                } else {
                    self
                }
            }
        }
    };
}
enum_value!(Collector);
enum_value!(FpuOp);

/// What can be joined.
pub trait Joined {
    /// Marks as connected what a join may drive.
    fn join_connect(&mut self);
}

impl<J: Joined> Joined for Vec<J> {
    fn join_connect(&mut self) {
        self.iter_mut().for_each(J::join_connect);
    }
}
impl<J: Joined> Joined for Opt<J> {
    fn join_connect(&mut self) {
        (**self).join_connect();
    }
}

/// One signal, in a bundle or by itself, whatever it is made of.
pub trait Wire: Block + Part + Joined {
    /// What it carries.
    type Of: Value;
    /// Its value.
    fn get(&self) -> Self::Of;
    /// The value that it has been given.
    fn given(&self) -> Self::Of;
    /// Gives it a value.
    fn set(&mut self, value: Self::Of);
}

/// What a bundle is made of.
pub trait Kind {
    /// A signal from the producer to the consumer.
    type Forward<T: Value>: Wire<Of = T>;
    /// The same, of which a register has a reset.
    type Reset<T: Value>: Wire<Of = T>;
    /// A signal from the consumer to the producer.
    type Backward<T: Value>: Wire<Of = T>;

    /// A forward signal, `width` bits wide in the Verilog.
    fn forward<T: Value>(width: usize) -> Self::Forward<T>;
    /// A forward signal whose register has a reset.
    fn reset<T: Value>(width: usize) -> Self::Reset<T>;
    /// A backward signal.
    fn backward<T: Value>(width: usize) -> Self::Backward<T>;
}

fn marked_signal<D: Direction, T: Synth>(width: usize, mark: &str) -> Signal<D, T> {
    let mut signal = signal_of(width);
    signal.add_constraint(PinConstraint { index: 0, constraint: Constraint::Custom(mark.into()) });
    signal
}

macro_rules! direction {
    ($forward:ident, $backward:ident) => {
        impl Kind for $forward {
            type Forward<T: Value> = Signal<$forward, T>;
            type Reset<T: Value> = Signal<$forward, T>;
            type Backward<T: Value> = Signal<$backward, T>;

            fn forward<T: Value>(width: usize) -> Self::Forward<T> {
                signal_of(width)
            }
            fn reset<T: Value>(width: usize) -> Self::Reset<T> {
                marked_signal(width, RESET_MARK)
            }
            fn backward<T: Value>(width: usize) -> Self::Backward<T> {
                marked_signal(width, BACKWARD_MARK)
            }
        }

        impl<T: Value> Wire for Signal<$forward, T> {
            type Of = T;
            fn get(&self) -> T {
                self.val()
            }
            fn given(&self) -> T {
                self.next
            }
            fn set(&mut self, value: T) {
                self.next = value;
            }
        }
    };
}
direction!(Out, In);
direction!(In, Out);
direction!(Local, Local);

impl<D: Direction, T: Synth> Joined for Signal<D, T> {
    fn join_connect(&mut self) {
        self.connect();
    }
}

/// A bundle of registers: they take what is copied to them and keep it. What goes backward is not there.
#[derive(Clone, Copy, Debug)]
pub enum Held {}

impl Kind for Held {
    type Forward<T: Value> = Pipe<T>;
    type Reset<T: Value> = Reg<T>;
    type Backward<T: Value> = Nothing<T>;

    fn forward<T: Value>(width: usize) -> Pipe<T> {
        Pipe::of(width)
    }
    fn reset<T: Value>(width: usize) -> Reg<T> {
        Reg::of(width)
    }
    fn backward<T: Value>(_width: usize) -> Nothing<T> {
        Nothing(PhantomData)
    }
}

/// A bundle of zeros, to copy from: it clears.
#[derive(Clone, Copy, Debug)]
pub enum Zero {}

impl Kind for Zero {
    type Forward<T: Value> = Const<T>;
    type Reset<T: Value> = Const<T>;
    type Backward<T: Value> = Nothing<T>;

    fn forward<T: Value>(width: usize) -> Const<T> {
        Const::with_width(T::default(), Some(width))
    }
    fn reset<T: Value>(width: usize) -> Const<T> {
        Self::forward(width)
    }
    fn backward<T: Value>(_width: usize) -> Nothing<T> {
        Nothing(PhantomData)
    }
}

impl<T: Value> Wire for Const<T> {
    type Of = T;
    fn get(&self) -> T {
        self.val()
    }
    fn given(&self) -> T {
        self.val()
    }
    fn set(&mut self, _value: T) {}
}
impl<T: Synth> Joined for Const<T> {
    fn join_connect(&mut self) {}
}

macro_rules! register_wire {
    ($register:ident) => {
        impl<T: Value> Wire for $register<T> {
            type Of = T;
            fn get(&self) -> T {
                self.q.val()
            }
            fn given(&self) -> T {
                self.d.next
            }
            fn set(&mut self, value: T) {
                self.d.next = value;
            }
        }
        impl<T: Synth> Joined for $register<T> {
            fn join_connect(&mut self) {
                self.d.connect();
            }
        }
    };
}
register_wire!(Reg);
register_wire!(Pipe);

/// No signal.
#[derive(Clone, Copy, Debug)]
pub struct Nothing<T>(PhantomData<T>);

impl<T: Synth> Logic for Nothing<T> {
    fn update(&mut self) {}
}
impl<T: Synth> Part for Nothing<T> {}
impl<T: Synth> Block for Nothing<T> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}
impl<T: Value> Wire for Nothing<T> {
    type Of = T;
    fn get(&self) -> T {
        T::default()
    }
    fn given(&self) -> T {
        T::default()
    }
    fn set(&mut self, _value: T) {}
}
impl<T: Synth> Joined for Nothing<T> {
    fn join_connect(&mut self) {}
}

/// Which signals of a bundle are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// All: forward signals one way, backward signals the other.
    BothWays,
    /// Forward signals.
    Forward,
    /// Forward signals that are not marked `reset`.
    Payload,
    /// Forward signals, each added to what the other has been given.
    Either,
}

/// A bundle, a signal, or an array of either, of which another kind is `To`.
pub trait Joins<To> {
    /// Copies forward signals to `to`, and backward signals from it, as far as `what` says.
    fn copy(&mut self, to: &mut To, what: What);
}

impl<A: Wire, B: Wire<Of = A::Of>> Joins<B> for A {
    fn copy(&mut self, to: &mut B, what: What) {
        let value = self.get();
        to.set(if what == What::Either { to.given().or(value) } else { value });
    }
}

impl<A: Joins<B>, B> Joins<Opt<B>> for A {
    fn copy(&mut self, to: &mut Opt<B>, what: What) {
        A::copy(self, &mut **to, what);
    }
}

impl<A: Joins<B>, B> Joins<Vec<B>> for Vec<A> {
    fn copy(&mut self, to: &mut Vec<B>, what: What) {
        self.iter_mut().zip(to).for_each(|(from, to)| from.copy(to, what));
    }
}

impl<A: Joins<B>, B> Joins<Vec<B>> for Opt<Vec<A>> {
    fn copy(&mut self, to: &mut Vec<B>, what: What) {
        (**self).copy(to, what);
    }
}

/// What a kernel's `connect` calls; rust-hdl's own knows neither arrays nor the inside of a module.
pub mod logic {
    use super::Joined;
    pub use rust_hdl::core::logic::*;

    /// Marks as connected what a join drives.
    pub fn logic_connect_join_fn<A: Joined, B: Joined>(from: &mut A, to: &mut B) {
        from.join_connect();
        to.join_connect();
    }
}

fn link(name: &str, from: &str, to: &str) -> Vec<VerilogLink> {
    vec![VerilogLink::Forward(VerilogLinkDetails {
        my_name: name.into(),
        owner_name: from.into(),
        other_name: to.into(),
    })]
}

/// Connects bundles: `Wires::join(&mut self.producer.x, &mut self.consumer.x)`; so too signals and arrays of them.
///
/// Forward signals go from the first to the second, backward signals from the second to the first. A module's own input
/// bundle is a producer for its children, its own output bundle a consumer.
pub struct Wires;

impl Wires {
    /// Connects two bundles.
    pub fn join<A: Joins<B>, B>(from: &mut A, to: &mut B) {
        from.copy(to, What::BothWays);
    }
    /// What [`join`](Self::join) is in a syntax tree.
    pub fn join_hdl(_: &str, from: &str, to: &str) -> Vec<VerilogLink> {
        link("", from, to)
    }
}

/// Copies what a bundle says: `Data::join(&mut self.from, &mut self.to)`. Nothing goes back.
pub struct Data;

impl Data {
    /// Copies the forward signals of a bundle.
    pub fn join<A: Joins<B>, B>(from: &mut A, to: &mut B) {
        from.copy(to, What::Forward);
    }
    /// What [`join`](Self::join) is in a syntax tree.
    pub fn join_hdl(_: &str, from: &str, to: &str) -> Vec<VerilogLink> {
        link(FORWARD_ONLY, from, to)
    }
}

/// Copies what a valid bit guards: `Payload::join(&mut self.from, &mut self.to)`. It is [`Data`] without the signals marked
/// `reset`, which the kernel then gives their value itself.
pub struct Payload;

impl Payload {
    /// Copies the forward signals of a bundle that are not marked `reset`.
    pub fn join<A: Joins<B>, B>(from: &mut A, to: &mut B) {
        from.copy(to, What::Payload);
    }
    /// What [`join`](Self::join) is in a syntax tree.
    pub fn join_hdl(_: &str, from: &str, to: &str) -> Vec<VerilogLink> {
        link(PAYLOAD_ONLY, from, to)
    }
}

/// Adds what a bundle says, bit by bit: `Either::join(&mut self.from, &mut self.to)`. Of several under conditions that
/// exclude each other the one comes out that is chosen, if it was all zeros before; nothing goes back.
pub struct Either;

impl Either {
    /// Adds the forward signals of a bundle.
    pub fn join<A: Joins<B>, B>(from: &mut A, to: &mut B) {
        from.copy(to, What::Either);
    }
    /// What [`join`](Self::join) is in a syntax tree.
    pub fn join_hdl(_: &str, from: &str, to: &str) -> Vec<VerilogLink> {
        link(EITHER, from, to)
    }
}
