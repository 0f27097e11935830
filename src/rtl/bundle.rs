//! Bundles: what belongs together travels together, as one field of a module and one statement of a kernel.
//!
//! [`bundle!`](crate::bundle) declares one: its fields, which way each goes, and their widths. Its parameter says what it is made of:
//! `Out` at the producer, `In` at the consumer, `Local` for wires of a module, [`Held`] for registers, [`Zero`] for zeros. A kernel connects two
//! with [`Wires::join`], or copies one to another, under a condition or not, with [`Data::join`].
//!
//! In rust-hdl's own simulation these are ordinary functions. In a syntax tree a `join` is a link of two paths
//! ([`Wires::join_hdl`]); `verilog::link` resolves it over the signals that stand under them.
use super::cell::{signal_of, Const, Pipe, Reg};
use super::module::{Opt, Part};
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};
use rust_hdl::prelude::*;
use std::marker::PhantomData;

/// Text of the `Constraint::Custom` that marks a signal that goes from the consumer to the producer; read by the back end.
pub(crate) const BACKWARD_MARK: &str = "backward";
/// Name of a link that takes forward signals alone.
pub(crate) const FORWARD_ONLY: &str = "forward";
/// Name of a link that takes forward signals alone, and of them those without reset.
pub(crate) const PAYLOAD_ONLY: &str = "payload";
/// Text of the mark of a signal whose register has a reset.
pub(crate) const RESET_MARK: &str = "reset";

/// One signal of a bundle, whatever it is made of.
pub trait Wire<T: Synth>: Block + Part {
    /// Its value.
    fn get(&self) -> T;
    /// Gives it a value.
    fn set(&mut self, value: T);
    /// Marks it as connected.
    fn connect_wire(&mut self);
}

/// What a bundle is made of.
pub trait Kind {
    /// A signal from the producer to the consumer.
    type Forward<T: Synth>: Wire<T>;
    /// The same, of which a register has a reset.
    type Reset<T: Synth>: Wire<T>;
    /// A signal from the consumer to the producer.
    type Backward<T: Synth>: Wire<T>;

    /// A forward signal, `width` bits wide in the Verilog.
    fn forward<T: Synth>(width: usize) -> Self::Forward<T>;
    /// A forward signal whose register has a reset.
    fn reset<T: Synth>(width: usize) -> Self::Reset<T>;
    /// A backward signal.
    fn backward<T: Synth>(width: usize) -> Self::Backward<T>;
}

fn marked_signal<D: Direction, T: Synth>(width: usize, mark: &str) -> Signal<D, T> {
    let mut signal = signal_of(width);
    signal.add_constraint(PinConstraint { index: 0, constraint: Constraint::Custom(mark.into()) });
    signal
}

macro_rules! direction {
    ($forward:ident, $backward:ident) => {
        impl Kind for $forward {
            type Forward<T: Synth> = Signal<$forward, T>;
            type Reset<T: Synth> = Signal<$forward, T>;
            type Backward<T: Synth> = Signal<$backward, T>;

            fn forward<T: Synth>(width: usize) -> Self::Forward<T> {
                signal_of(width)
            }
            fn reset<T: Synth>(width: usize) -> Self::Reset<T> {
                marked_signal(width, RESET_MARK)
            }
            fn backward<T: Synth>(width: usize) -> Self::Backward<T> {
                marked_signal(width, BACKWARD_MARK)
            }
        }

        impl<T: Synth> Wire<T> for Signal<$forward, T> {
            fn get(&self) -> T {
                self.val()
            }
            fn set(&mut self, value: T) {
                self.next = value;
            }
            fn connect_wire(&mut self) {
                self.connect();
            }
        }
    };
}
direction!(Out, In);
direction!(In, Out);
direction!(Local, Local);

/// A bundle of registers: they take what is copied to them and keep it. What goes backward is not there.
#[derive(Clone, Copy, Debug)]
pub enum Held {}

impl Kind for Held {
    type Forward<T: Synth> = Pipe<T>;
    type Reset<T: Synth> = Reg<T>;
    type Backward<T: Synth> = Nothing<T>;

    fn forward<T: Synth>(width: usize) -> Pipe<T> {
        Pipe::of(width)
    }
    fn reset<T: Synth>(width: usize) -> Reg<T> {
        Reg::of(width)
    }
    fn backward<T: Synth>(_width: usize) -> Nothing<T> {
        Nothing(PhantomData)
    }
}

/// A bundle of zeros, to copy from: it clears.
#[derive(Clone, Copy, Debug)]
pub enum Zero {}

impl Kind for Zero {
    type Forward<T: Synth> = Const<T>;
    type Reset<T: Synth> = Const<T>;
    type Backward<T: Synth> = Nothing<T>;

    fn forward<T: Synth>(width: usize) -> Const<T> {
        Const::with_width(T::default(), Some(width))
    }
    fn reset<T: Synth>(width: usize) -> Const<T> {
        Self::forward(width)
    }
    fn backward<T: Synth>(_width: usize) -> Nothing<T> {
        Nothing(PhantomData)
    }
}

impl<T: Synth> Wire<T> for Const<T> {
    fn get(&self) -> T {
        self.val()
    }
    fn set(&mut self, _value: T) {}
    fn connect_wire(&mut self) {}
}

macro_rules! register_wire {
    ($register:ident) => {
        impl<T: Synth> Wire<T> for $register<T> {
            fn get(&self) -> T {
                self.q.val()
            }
            fn set(&mut self, value: T) {
                self.d.next = value;
            }
            fn connect_wire(&mut self) {
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
impl<T: Synth> Wire<T> for Nothing<T> {
    fn get(&self) -> T {
        T::default()
    }
    fn set(&mut self, _value: T) {}
    fn connect_wire(&mut self) {}
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
}

/// A bundle, or an array of them, of which another kind is `To`.
pub trait Joins<To> {
    /// Copies forward signals to `to`, and backward signals from it, as far as `what` says.
    fn copy(&mut self, to: &mut To, what: What);
}

impl<A: Joins<B>, B> Joins<Opt<B>> for A {
    fn copy(&mut self, to: &mut Opt<B>, what: What) {
        A::copy(self, &mut **to, what);
    }
}

impl<L: LogicJoin> LogicJoin for Opt<L> {
    fn join_connect(&mut self) {
        (**self).join_connect();
    }
}

impl<A: Joins<B>, B> Joins<Vec<B>> for Vec<A> {
    fn copy(&mut self, to: &mut Vec<B>, what: What) {
        self.iter_mut().zip(to).for_each(|(from, to)| from.copy(to, what));
    }
}

fn link(name: &str, from: &str, to: &str) -> Vec<VerilogLink> {
    vec![VerilogLink::Forward(VerilogLinkDetails {
        my_name: name.into(),
        owner_name: from.into(),
        other_name: to.into(),
    })]
}

/// Connects bundles: `Wires::join(&mut self.producer.x, &mut self.consumer.x)`.
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

/// Declares a bundle.
///
/// ```text
/// bundle! {
///     /// A unit's result on its way to commit.
///     pub struct UnitResult(cfg: &CoreConfig) {
///         forward {
///             /// There is one; a register of it is reset.
///             valid: reset Bit,
///             /// Its warp.
///             wid: Bits<5> = cfg.wid_bits(),
///             /// Value of each lane.
///             data: [Bits<32>; cfg.threads],
///             /// A bundle inside; `[bundle WarpEvents(cfg); cfg.slices]` is an array of them.
///             warp: bundle WarpEvents(cfg),
///             /// Several of them.
///             slots: [bundle Slot(cfg); cfg.slots],
///             /// One whose fields are in the Verilog as if they were fields of this one.
///             origin_: bundle Origin(cfg),
///             /// Exceptions, in a core with a floating-point unit.
///             flags: if (cfg.fpu) Bits<5>,
///         }
///         backward {
///             /// Commit takes it.
///             ready: Bit,
///         }
///     }
/// }
/// ```
///
/// Without a width after `=` a signal is as wide as its type. Makes the struct `UnitResult<K>` of any [`Kind`] and its
/// constructor `new` of the arguments in parentheses; a field with `if` is an [`Opt`](crate::rtl::module::Opt), one in
/// brackets a `Vec`. The name of a field that ends in `_` is not in the names of the Verilog.
#[macro_export]
macro_rules! bundle {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($($args:tt)*) {
        $(let $local:pat = $init:expr;)*
        forward { $($forward:tt)* }
        $(backward { $($backward:tt)* })?
    }) => {
        $crate::bundle! { @munch [$(#[$meta])*] [$vis] $name [$($args)*] [$($local = $init;)*] [] forward { $($forward)* } { $($($backward)*)? } }
    };
    // Fields one by one, each as: meta direction name shape [type] [width] [count, condition or arguments].
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: reset $t:ty $(= $w:expr)?, $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] reset $f one [$t] [$($w)?] []}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: if ($c:expr) [$t:ty; $n:expr] $(= $w:expr)?, $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f many [$t] [$($w)?] [if $c { $n } else { 0 }]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: if ($c:expr) $t:ty $(= $w:expr)?, $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f maybe [$t] [$($w)?] [$c]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: bundle $t:ident($($arg:expr),*), $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f nested [$t<K>] [] [$($arg),*]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: [bundle $t:ident($($arg:expr),*); $n:expr], $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f several [$t<K>] [] [$n; $($arg),*]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: [$t:ty; $n:expr] $(= $w:expr)?, $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f many [$t] [$($w)?] [$n]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: $t:ty $(= $w:expr)?, $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f one [$t] [$($w)?] []}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt $done:tt forward {} { $($backward:tt)* }) => {
        $crate::bundle! { @munch $m $v $name $a $l $done backward { $($backward)* } {} }
    };
    (@munch [$(#[$meta:meta])*] [$vis:vis] $name:ident [$($arg:ident: $arg_type:ty),* $(,)?] [$($local:pat = $init:expr;)*]
     [$({[$($doc:literal)*] $dir:ident $f:ident $shape:ident [$t:ty] $w:tt $n:tt})*] backward {} {}) => {
        $(#[$meta])*
        $vis struct $name<K: $crate::rtl::bundle::Kind> {
            $($(#[doc = $doc])* pub $f: $crate::bundle!(@type $dir $shape $t),)*
        }

        impl<K: $crate::rtl::bundle::Kind> $name<K> {
            /// The bundle of these parameters.
            #[allow(clippy::new_without_default)]
            $vis fn new($($arg: $arg_type),*) -> Self {
                $(let $local = $init;)*
                let mut bundle = Self { $($f: $crate::bundle!(@new $dir $shape $t, $w, $n),)* };
                $($crate::module!(@describe bundle.$f, $($doc)*);)*
                bundle
            }
        }

        impl<K: $crate::rtl::bundle::Kind> rust_hdl::prelude::Logic for $name<K> {
            fn update(&mut self) {}
        }

        impl<K: $crate::rtl::bundle::Kind> rust_hdl::prelude::LogicJoin for $name<K> {
            fn join_connect(&mut self) {
                $($crate::bundle!(@connect $shape $t, self.$f);)*
            }
        }

        impl<K: $crate::rtl::bundle::Kind> $crate::rtl::module::Part for $name<K> {
            fn begin(&mut self, owner: &$crate::rtl::module::Tick) {
                $($crate::rtl::module::Part::begin(&mut self.$f, owner);)*
            }
            fn claim(&mut self, owner: &$crate::rtl::module::Has) {
                $($crate::rtl::module::Part::claim(&mut self.$f, owner);)*
            }
            fn describe(&mut self, text: &'static str) {
                $crate::rtl::module::Part::head_group(self, text);
            }
            fn head_group(&mut self, text: &'static str) {
                $crate::bundle!(@first self, text, $($f)*);
            }
        }

        impl<K: $crate::rtl::bundle::Kind> rust_hdl::prelude::Block for $name<K> {
            fn connect_all(&mut self) {
                $(self.$f.connect_all();)*
            }
            fn update_all(&mut self) {
                $(self.$f.update_all();)*
            }
            fn has_changed(&self) -> bool {
                false $(|| self.$f.has_changed())*
            }
            fn accept(&self, name: &str, probe: &mut dyn rust_hdl::prelude::Probe) {
                probe.visit_start_namespace(name, self);
                $(self.$f.accept(stringify!($f), probe);)*
                probe.visit_end_namespace(name, self);
            }
        }

        impl<K: $crate::rtl::bundle::Kind, L: $crate::rtl::bundle::Kind> $crate::rtl::bundle::Joins<$name<L>> for $name<K> {
            #[allow(unused_variables)]
            fn copy(&mut self, to: &mut $name<L>, what: $crate::rtl::bundle::What) {
                $($crate::bundle!(@copy $dir $shape $t, self.$f, to.$f, what);)*
            }
        }

        impl<K: $crate::rtl::bundle::Kind, L: $crate::rtl::bundle::Kind> $crate::rtl::bundle::Joins<$name<L>>
            for $crate::rtl::module::Opt<$name<K>>
        {
            fn copy(&mut self, to: &mut $name<L>, what: $crate::rtl::bundle::What) {
                $crate::rtl::bundle::Joins::<$name<L>>::copy(&mut **self, to, what);
            }
        }
    };
    (@type $dir:ident one $t:ty) => { $crate::bundle!(@wire $dir $t) };
    (@type $dir:ident many $t:ty) => { Vec<$crate::bundle!(@wire $dir $t)> };
    (@type $dir:ident maybe $t:ty) => { $crate::rtl::module::Opt<$crate::bundle!(@wire $dir $t)> };
    (@type forward nested $t:ty) => { $t };
    (@type forward several $t:ty) => { Vec<$t> };
    (@wire forward $t:ty) => { <K as $crate::rtl::bundle::Kind>::Forward<$t> };
    (@wire reset $t:ty) => { <K as $crate::rtl::bundle::Kind>::Reset<$t> };
    (@wire backward $t:ty) => { <K as $crate::rtl::bundle::Kind>::Backward<$t> };
    (@new $dir:ident one $t:ty, $w:tt, []) => { <K as $crate::rtl::bundle::Kind>::$dir::<$t>($crate::bundle!(@width $t, $w)) };
    (@new $dir:ident many $t:ty, $w:tt, [$n:expr]) => {
        (0..$n).map(|_| <K as $crate::rtl::bundle::Kind>::$dir::<$t>($crate::bundle!(@width $t, $w))).collect()
    };
    (@new $dir:ident maybe $t:ty, $w:tt, [$c:expr]) => {
        $crate::rtl::module::Opt::new($c, <K as $crate::rtl::bundle::Kind>::$dir::<$t>($crate::bundle!(@width $t, $w)))
    };
    (@new forward nested $t:ty, $w:tt, [$($arg:expr),*]) => { <$t>::new($($arg),*) };
    (@new forward several $t:ty, $w:tt, [$n:expr; $($arg:expr),*]) => { (0..$n).map(|_| <$t>::new($($arg),*)).collect() };
    (@first $own:ident, $text:ident, $f:ident $($more:ident)*) => {
        $crate::rtl::module::Part::head_group(&mut $own.$f, $text)
    };
    (@width $t:ty, []) => { <$t as rust_hdl::prelude::Synth>::BITS };
    (@width $t:ty, [$w:expr]) => { $w };
    (@connect one $t:ty, $own:expr) => { $crate::rtl::bundle::Wire::<$t>::connect_wire(&mut $own) };
    (@connect many $t:ty, $own:expr) => { $own.iter_mut().for_each($crate::rtl::bundle::Wire::<$t>::connect_wire) };
    (@connect maybe $t:ty, $own:expr) => { $crate::rtl::bundle::Wire::<$t>::connect_wire(&mut *$own) };
    (@connect nested $t:ty, $own:expr) => { rust_hdl::prelude::LogicJoin::join_connect(&mut $own) };
    (@connect several $t:ty, $own:expr) => { $own.iter_mut().for_each(rust_hdl::prelude::LogicJoin::join_connect) };
    (@copy forward nested $t:ty, $own:expr, $other:expr, $what:ident) => {
        $crate::rtl::bundle::Joins::copy(&mut $own, &mut $other, $what)
    };
    (@copy forward several $t:ty, $own:expr, $other:expr, $what:ident) => {
        $crate::rtl::bundle::Joins::copy(&mut $own, &mut $other, $what)
    };
    (@copy backward $shape:ident $t:ty, $own:expr, $other:expr, $what:ident) => {
        if $what == $crate::rtl::bundle::What::BothWays { $crate::bundle!(@set $shape $t, $other, $own); }
    };
    (@copy reset $shape:ident $t:ty, $own:expr, $other:expr, $what:ident) => {
        if $what != $crate::rtl::bundle::What::Payload { $crate::bundle!(@set $shape $t, $own, $other); }
    };
    (@copy $dir:ident $shape:ident $t:ty, $own:expr, $other:expr, $what:ident) => {
        $crate::bundle!(@set $shape $t, $own, $other);
    };
    (@set one $t:ty, $from:expr, $to:expr) => {
        $crate::rtl::bundle::Wire::<$t>::set(&mut $to, $crate::rtl::bundle::Wire::<$t>::get(&$from))
    };
    (@set many $t:ty, $from:expr, $to:expr) => {
        $from.iter().zip($to.iter_mut()).for_each(|(from, to)| {
            $crate::rtl::bundle::Wire::<$t>::set(to, $crate::rtl::bundle::Wire::<$t>::get(from));
        })
    };
    (@set maybe $t:ty, $from:expr, $to:expr) => {
        $crate::rtl::bundle::Wire::<$t>::set(&mut *$to, $crate::rtl::bundle::Wire::<$t>::get(&*$from))
    };
}
