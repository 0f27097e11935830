//! How a module is written: its fields, their types and values side by side; clock, reset and holds come by themselves.
use super::cell::{Pipe, Reg};
use rust_hdl::prelude::*;
use std::fmt::Display;
use std::ops::{Deref, DerefMut};

/// What a module is made of: knows what its owner's clock and reset are for.
///
/// A part's logic never mentions them. Before an owner's logic runs in rust-hdl's own simulation, [`begin`](Self::begin)
/// hands them to all its parts and lets its registers keep their values; the Verilog back end does the same where a module's logic
/// does not assign them itself (`verilog::lower`).
pub trait Part {
    /// Takes the owner's clock and reset; a register keeps its value unless the logic says otherwise.
    fn begin(&mut self, _owner: &Tick) {}
    /// Marks as connected what [`begin`](Self::begin) drives.
    fn claim(&mut self, _owner: &Has) {}
    /// Takes the text that is declared above the part, for the port, wire, register or constant that it is in the Verilog.
    fn describe(&mut self, _text: &'static str) {}
    /// Takes the text that is declared above the bundle whose first signal it is.
    fn head_group(&mut self, _text: &'static str) {}
}

/// Prefix of the `Constraint::Custom` that carries the description of a signal; read by the back end.
pub(crate) const DESCRIPTION_MARK: &str = "description=";
/// The same for the group of ports that begins with this one.
pub(crate) const GROUP_MARK: &str = "group=";

/// A mark for the back end: its prefix, and what it says.
pub(crate) fn marked(prefix: &str, said: impl Display) -> PinConstraint {
    PinConstraint { index: 0, constraint: Constraint::Custom(format!("{prefix}{said}")) }
}

/// A module's clock and reset, as far as it has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tick {
    /// Its clock.
    pub clock: Clock,
    /// Its reset.
    pub reset: Bit,
}

/// Whether a module has a clock and a reset.
#[derive(Clone, Copy, Debug, Default)]
pub struct Has {
    /// It has a port `clock`.
    pub clock: bool,
    /// It has a port `reset`.
    pub reset: bool,
}

impl Part for usize {}
impl Part for bool {}
impl<D: Direction, T: Synth> Part for Signal<D, T> {
    fn describe(&mut self, text: &'static str) {
        self.add_constraint(marked(DESCRIPTION_MARK, text.trim()));
    }
    fn head_group(&mut self, text: &'static str) {
        self.add_constraint(marked(GROUP_MARK, text.trim()));
    }
}

macro_rules! register_part {
    ($register:ident) => {
        impl<T: Synth> Part for $register<T> {
            fn begin(&mut self, owner: &Tick) {
                self.clock.next = owner.clock;
                self.d.next = self.q.val();
            }
            fn claim(&mut self, owner: &Has) {
                if owner.clock {
                    self.clock.connect();
                }
                self.d.connect();
            }
            fn describe(&mut self, text: &'static str) {
                self.q.describe(text);
            }
        }
    };
}
register_part!(Reg);
register_part!(Pipe);

impl<P: Part> Part for Vec<P> {
    fn describe(&mut self, text: &'static str) {
        // The elements of an array are one port.
        self.iter_mut().take(1).for_each(|part| part.describe(text));
    }
    fn head_group(&mut self, text: &'static str) {
        self.iter_mut().take(1).for_each(|part| part.head_group(text));
    }
    fn begin(&mut self, owner: &Tick) {
        self.iter_mut().for_each(|part| part.begin(owner));
    }
    fn claim(&mut self, owner: &Has) {
        self.iter_mut().for_each(|part| part.claim(owner));
    }
}

/// A part that only some cores have: a signal, a bundle, a module.
///
/// It is used as if it were there. A module's logic does so under `if self.has_it.val()`, where `has_it` is a `Const<Bit>`: the
/// back end lowers only the branch that the constant chooses, and a probe does not see a part that is absent.
#[derive(Clone, Debug, Default)]
pub struct Opt<T> {
    present: bool,
    /// Apart from its owner: a whole core is built on the stack of a thread.
    part: Box<T>,
}

impl<T> Opt<T> {
    /// The part, which is there or not.
    pub fn new(present: bool, part: T) -> Self {
        Self { present, part: Box::new(part) }
    }
}

impl<T> Deref for Opt<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.part
    }
}

impl<T> DerefMut for Opt<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.part
    }
}

impl<T: Part> Part for Opt<T> {
    fn describe(&mut self, text: &'static str) {
        self.part.describe(text);
    }
    fn head_group(&mut self, text: &'static str) {
        self.part.head_group(text);
    }
    fn begin(&mut self, owner: &Tick) {
        self.part.begin(owner);
    }
    fn claim(&mut self, owner: &Has) {
        self.part.claim(owner);
    }
}

impl<T: Logic> Logic for Opt<T> {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.part.connect();
    }
}

impl<T: Block> Block for Opt<T> {
    fn connect_all(&mut self) {
        if self.present {
            self.part.connect_all();
        }
    }
    fn update_all(&mut self) {
        if self.present {
            self.part.update_all();
        }
    }
    fn has_changed(&self) -> bool {
        self.present && self.part.has_changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if self.present {
            self.part.accept(name, probe);
        }
    }
}

/// Implements [`Part`] for a cell with a clock, whose `update` is written by hand.
#[macro_export]
macro_rules! clocked {
    ($name:ident $(<const $size:ident: usize>)?) => {
        impl $(<const $size: usize>)? $crate::module::Part for $name $(<$size>)? {
            fn begin(&mut self, owner: &$crate::module::Tick) {
                self.clock.next = owner.clock;
            }
            fn claim(&mut self, owner: &$crate::module::Has) {
                if owner.clock {
                    rust_hdl::prelude::Logic::connect(&mut self.clock);
                }
            }
        }
    };
}

/// Declares a module: a list of `field: type = value`, where a value that is left out is the type's default.
///
/// ```text
/// module! {
///     /// Counts what arrives.
///     ///
///     /// Ports: none but the two. Latency: a cycle. ..
///     pub struct Counter(width: usize)[clock, reset]
///     let last = (1 << width) - 1;
///     {
///         /// Something arrives.
///         pub arrives: Signal<In, Bit>,
///         /// How often it has.
///         pub count: Signal<Out, Bits<32>> = signal(width),
///         counted: Reg<Bits<32>> = Reg::<Bits<32>>::width(width),
///         sum, carries: Signal<Local, Bits<32>> = signal(width),
///         last: Const<Bits<32>> = constant(width, last),
///     }
/// }
/// ```
///
/// Makes the struct, with the ports `clock` and `reset` if they are listed, its constructor `new` of the arguments in
/// parentheses, and rust-hdl's `Block`. `impl Logic` with the logic follows; `clock` and `reset` reach all parts, and
/// registers keep their values, without a line in it (see [`Part`](crate::module::Part)). Of what is said above the
/// declaration the first paragraph heads the module in the Verilog too. Fields of one type and value may stand together.
#[macro_export]
macro_rules! module {
    ($(#[doc = $about:literal])* $vis:vis struct $name:ident $(<const $size:ident: usize>)? ($($args:tt)*) [clock, reset]
     $(let $local:pat = $init:expr;)* { $($fields:tt)* }) => {
        $crate::module! { @group { [$($about)*] [$vis] $name [$($size)?] [$($args)*] [clock reset] [$($local = $init;)*] }
            /// Rising edge moves the state.
            pub clock: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Clock>,
            /// Synchronous, active high.
            pub reset: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Bit>,
            $($fields)*
        }
    };
    ($(#[doc = $about:literal])* $vis:vis struct $name:ident $(<const $size:ident: usize>)? ($($args:tt)*) [clock]
     $(let $local:pat = $init:expr;)* { $($fields:tt)* }) => {
        $crate::module! { @group { [$($about)*] [$vis] $name [$($size)?] [$($args)*] [clock] [$($local = $init;)*] }
            /// Rising edge moves the state.
            pub clock: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Clock>,
            $($fields)*
        }
    };
    ($(#[doc = $about:literal])* $vis:vis struct $name:ident $(<const $size:ident: usize>)? ($($args:tt)*)
     $(let $local:pat = $init:expr;)* { $($fields:tt)* }) => {
        $crate::module! { @group { [$($about)*] [$vis] $name [$($size)?] [$($args)*] [] [$($local = $init;)*] } $($fields)* }
    };
    // Names that share a type and a value; then each with its own.
    (@group $head:tt
     $($(#[doc = $doc:literal])* $field_vis:vis $($field:ident),+: $field_type:ty $(= $value:expr)?),* $(,)?) => {
        $crate::module! { @spread $head $([$($field)+] {[$($doc)*] [$field_vis] [$field_type] [$($value)?]})* }
    };
    (@spread $head:tt $([$($field:ident)+] $what:tt)*) => {
        $crate::module! { @build $head { $($($field $what)+)* } }
    };
    (@build { [$($about:literal)*] [$vis:vis] $name:ident [$($size:ident)?] [$($arg:ident: $arg_type:ty),* $(,)?]
     [$($tick:ident)*] [$($local:pat = $init:expr;)*] } {
        $($field:ident {[$($doc:literal)*] [$field_vis:vis] [$field_type:ty] [$($value:expr)?]})*
    }) => {
        $(#[doc = $about])*
        #[derive(rust_hdl::prelude::LogicBlock)]
        $vis struct $name $(<const $size: usize>)? {
            $($(#[doc = $doc])* $field_vis $field: $field_type,)*
            heading: $crate::heading::Heading,
        }

        impl $(<const $size: usize>)? $name $(<$size>)? {
            /// The module of these parameters.
            #[allow(clippy::new_without_default)]
            $vis fn new($($arg: $arg_type),*) -> Self {
                $(let $local = $init;)*
                let heading = $crate::heading::Heading::new(stringify!($name), concat!($($about, "\n"),*));
                #[allow(unused_mut)]
                let mut module = Self { $($field: $crate::module!(@value $($value)?),)* heading };
                $($crate::module!(@describe module.$field, $($doc)*);)*
                module
            }

            /// The logic, after clock, reset and holds; found before `Logic::update` by what `LogicBlock` derives.
            #[allow(clippy::needless_update)] // Of a module with clock and reset.
            fn update(&mut self) {
                let tick = $crate::module::Tick { $($tick: self.$tick.val(),)* ..Default::default() };
                $($crate::module::Part::begin(&mut self.$field, &tick);)*
                rust_hdl::prelude::Logic::update(self);
            }

            /// What the logic drives, after clock, reset and holds.
            #[allow(clippy::needless_update)]
            fn connect(&mut self) {
                let has = $crate::module::Has { $($tick: true,)* ..Default::default() };
                $($crate::module::Part::claim(&mut self.$field, &has);)*
                rust_hdl::prelude::Logic::connect(self);
            }
        }

        impl $(<const $size: usize>)? $crate::module::Part for $name $(<$size>)? {
            fn begin(&mut self, _owner: &$crate::module::Tick) {
                $(self.$tick.next = _owner.$tick;)*
            }
            fn claim(&mut self, _owner: &$crate::module::Has) {
                $(if _owner.$tick { rust_hdl::prelude::Logic::connect(&mut self.$tick); })*
            }
        }
    };
    (@describe $field:expr,) => {};
    (@describe $field:expr, $($doc:literal)+) => {
        $crate::module::Part::describe(&mut $field, concat!($($doc),+))
    };
    (@value $value:expr) => { $value };
    (@value) => { Default::default() };
}
