//! The inputs of a scheduler one by one, made from the list that the hardware and the models are made from.
use ::model::sched::{self as model, Inputs};
use ::model::PerWarp;
use ::rtl::{sched as rtl, warps};
use cosim::Rng;
use rust_hdl::prelude::*;
use spec::config::WarpMask;
use spec::scheduler_inputs;

/// One of the inputs in a view.
pub struct Input<'a> {
    /// Its name, as a policy's kernel and model have it: `core.kernel_start`.
    pub name: String,
    /// It says what happens in the cycle, and no grant of that cycle may hang on it.
    pub event: bool,
    value: &'a mut dyn Value,
}

impl Input<'_> {
    /// Forces all bits to those of one mask.
    pub fn tie(&mut self, bits: WarpMask) {
        self.value.tie(bits);
    }

    /// Any value of `warps` bits.
    pub fn randomise(&mut self, warps: usize, rng: &mut Rng) {
        self.value.randomise(&mut || (0..warps).filter(|_| rng.percent(10)).fold(0, |mask, w| mask | 1 << w));
    }
}

/// All inputs of a view.
pub fn inputs(view: &mut Inputs) -> Vec<Input<'_>> {
    let mut found = vec![];
    view.stage.list("stage", &mut found);
    view.core.list("core", &mut found);
    found
}

/// Gives a module's ports what a part of a view says.
pub fn drive<P>(view: &impl Drive<P>, ports: &mut P) {
    view.drive(ports);
}

trait Value {
    fn tie(&mut self, bits: WarpMask);
    fn randomise(&mut self, bits: &mut dyn FnMut() -> WarpMask);
}

impl Value for WarpMask {
    fn tie(&mut self, bits: WarpMask) {
        *self = bits;
    }
    fn randomise(&mut self, bits: &mut dyn FnMut() -> WarpMask) {
        *self = bits();
    }
}

impl Value for u8 {
    fn tie(&mut self, bits: WarpMask) {
        *self = bits as u8 & 7;
    }
    // Slots and counts have limits of their own, which the world knows.
    fn randomise(&mut self, _: &mut dyn FnMut() -> WarpMask) {}
}

impl Value for bool {
    fn tie(&mut self, bits: WarpMask) {
        *self = bits != 0;
    }
    fn randomise(&mut self, bits: &mut dyn FnMut() -> WarpMask) {
        *self = bits() & 1 != 0;
    }
}

impl<T: Value> Value for PerWarp<T> {
    fn tie(&mut self, bits: WarpMask) {
        self.iter_mut().for_each(|value| value.tie(bits));
    }
    fn randomise(&mut self, bits: &mut dyn FnMut() -> WarpMask) {
        self.iter_mut().for_each(|value| value.randomise(bits));
    }
}

/// What can be given to ports.
pub trait Drive<P> {
    /// Drives them.
    fn drive(&self, port: &mut P);
}

impl Drive<Signal<In, warps::WarpMask>> for WarpMask {
    fn drive(&self, port: &mut Signal<In, warps::WarpMask>) {
        port.next = (*self).into();
    }
}

impl Drive<Signal<In, Bit>> for bool {
    fn drive(&self, port: &mut Signal<In, Bit>) {
        port.next = *self;
    }
}

impl<const N: usize> Drive<Signal<In, Bits<N>>> for u8 {
    fn drive(&self, port: &mut Signal<In, Bits<N>>) {
        port.next = u64::from(*self).into();
    }
}

impl<T: Drive<P>, P> Drive<Vec<P>> for PerWarp<T> {
    fn drive(&self, ports: &mut Vec<P>) {
        self.iter().zip(ports).for_each(|(value, port)| value.drive(port));
    }
}

macro_rules! groups {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $kind:ident $type:ident,)*
    })*) => {
        $(impl List for model::$name {
            fn list<'a>(&'a mut self, name: &str, found: &mut Vec<Input<'a>>) {
                $(groups!(@list $kind self.$field, format!("{name}.{}", stringify!($field)), found);)*
            }
        }

        impl Drive<rtl::$name<In>> for model::$name {
            fn drive(&self, ports: &mut rtl::$name<In>) {
                $(self.$field.drive(&mut ports.$field);)*
            }
        })*
    };
    (@list part $value:expr, $name:expr, $found:ident) => { $value.list(&$name, $found) };
    (@list $kind:ident $value:expr, $name:expr, $found:ident) => {
        $found.push(Input { name: $name, event: stringify!($kind) == "event", value: &mut $value })
    };
}
scheduler_inputs!(groups);

trait List {
    fn list<'a>(&'a mut self, name: &str, found: &mut Vec<Input<'a>>);
}
