//! What bundles are made of: signals of either direction, wires, registers, zeros.
use super::{Joined, BACKWARD_MARK, RESET_MARK};
use crate::cell::{signal_of, Const, Pipe, Reg};
use crate::module::{marked, Part};
use rust_hdl::prelude::*;
use std::marker::PhantomData;

/// What a signal of a bundle can carry.
pub trait Value: Synth {
    /// Both values, bit by bit; of the values of an `enum` one is the first.
    fn or(self, other: Self) -> Self {
        if self == Self::default() {
            other
        } else {
            self
        }
    }
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
    signal.add_constraint(marked(mark, ""));
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

/// A kind in which nothing goes backward, and of what cells the rest is.
macro_rules! one_way {
    ($(#[doc = $doc:literal])* $kind:ident: $forward:ident, $reset:ident) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $kind {}

        impl Kind for $kind {
            type Forward<T: Value> = $forward<T>;
            type Reset<T: Value> = $reset<T>;
            type Backward<T: Value> = Nothing<T>;

            fn forward<T: Value>(width: usize) -> $forward<T> {
                $forward::of(width)
            }
            fn reset<T: Value>(width: usize) -> $reset<T> {
                $reset::of(width)
            }
            fn backward<T: Value>(_width: usize) -> Nothing<T> {
                Nothing(PhantomData)
            }
        }
    };
}
one_way! {
    /// A bundle of registers: they take what is copied to them and keep it. What goes backward is not there.
    Registered: Pipe, Reg
}
one_way! {
    /// A bundle of zeros, to copy from: it clears.
    Zero: Const, Const
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
