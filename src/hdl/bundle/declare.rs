//! The macro that declares a bundle.

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
///             wid: WarpId = cfg.wid_bits(),
///             /// Value of each lane.
///             data: [Bits<32>; cfg.threads],
///             /// A bundle inside.
///             warp: bundle WarpEvents(cfg),
///             /// One that only some cores have.
///             sharing: if (cfg.shares_warps()) bundle SharingView(cfg),
///             /// Several of them.
///             slots: [bundle Slot(cfg); cfg.slots],
///             /// One whose fields are in the Verilog as if they were fields of this one, with this as their heading.
///             origin_: bundle Origin(cfg),
///             /// The same without: the fields speak for themselves.
///             reason_: fields Reason(cfg),
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
/// Without a width after `=` a signal is as wide as its type. Makes the struct `UnitResult<K>` of any
/// [`Kind`](crate::bundle::Kind) and its
/// constructor `new` of the arguments in parentheses; a field with `if` is an [`Opt`](crate::module::Opt), one in
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
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: if ($c:expr) bundle $t:ident($($arg:expr),*), $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f perhaps [$t<K>] [] [$c; $($arg),*]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: if ($c:expr) $t:ty $(= $w:expr)?, $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f maybe [$t] [$($w)?] [$c]}] $dir { $($more)* } $next }
    };
    (@munch $m:tt $v:tt $name:ident $a:tt $l:tt [$($done:tt)*] $dir:ident { $(#[doc = $doc:literal])* $f:ident: $shape:ident $t:ident($($arg:expr),*), $($more:tt)* } $next:tt) => {
        $crate::bundle! { @munch $m $v $name $a $l [$($done)* {[$($doc)*] $dir $f $shape [$t<K>] [] [$($arg),*]}] $dir { $($more)* } $next }
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
        $vis struct $name<K: $crate::bundle::Kind> {
            $($(#[doc = $doc])* pub $f: $crate::bundle!(@type $dir $shape $t),)*
        }

        impl<K: $crate::bundle::Kind> $name<K> {
            /// The bundle of these parameters.
            #[allow(clippy::new_without_default)]
            $vis fn new($($arg: $arg_type),*) -> Self {
                $(let $local = $init;)*
                let mut bundle = Self { $($f: $crate::bundle!(@new $dir $shape $t, $w, $n),)* };
                $($crate::bundle!(@describe $shape bundle.$f, $($doc)*);)*
                bundle
            }
        }

        impl<K: $crate::bundle::Kind> rust_hdl::prelude::Logic for $name<K> {
            fn update(&mut self) {}
        }

        impl<K: $crate::bundle::Kind> $crate::bundle::Joined for $name<K> {
            fn join_connect(&mut self) {
                $($crate::bundle::Joined::join_connect(&mut self.$f);)*
            }
        }

        impl<K: $crate::bundle::Kind> $crate::module::Part for $name<K> {
            fn begin(&mut self, owner: &$crate::module::Tick) {
                $($crate::module::Part::begin(&mut self.$f, owner);)*
            }
            fn claim(&mut self, owner: &$crate::module::Has) {
                $($crate::module::Part::claim(&mut self.$f, owner);)*
            }
            fn describe(&mut self, text: &'static str) {
                $crate::module::Part::head_group(self, text);
            }
            fn head_group(&mut self, text: &'static str) {
                $crate::bundle!(@first self, text, $($f)*);
            }
        }

        impl<K: $crate::bundle::Kind> rust_hdl::prelude::Block for $name<K> {
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

        impl<K: $crate::bundle::Kind, L: $crate::bundle::Kind> $crate::bundle::Joins<$name<L>> for $name<K> {
            #[allow(unused_variables)]
            fn copy(&mut self, to: &mut $name<L>, what: $crate::bundle::What) {
                $($crate::bundle!(@copy $dir $shape self.$f, to.$f, what);)*
            }
        }

        impl<K: $crate::bundle::Kind, L: $crate::bundle::Kind> $crate::bundle::Joins<$name<L>>
            for $crate::module::Opt<$name<K>>
        {
            fn copy(&mut self, to: &mut $name<L>, what: $crate::bundle::What) {
                $crate::bundle::Joins::<$name<L>>::copy(&mut **self, to, what);
            }
        }
    };
    (@type $dir:ident one $t:ty) => { $crate::bundle!(@wire $dir $t) };
    (@type $dir:ident many $t:ty) => { Vec<$crate::bundle!(@wire $dir $t)> };
    (@type $dir:ident maybe $t:ty) => { $crate::module::Opt<$crate::bundle!(@wire $dir $t)> };
    (@type forward bundle $t:ty) => { $t };
    (@type forward fields $t:ty) => { $t };
    (@type forward perhaps $t:ty) => { $crate::module::Opt<$t> };
    (@type forward several $t:ty) => { Vec<$t> };
    (@wire forward $t:ty) => { <K as $crate::bundle::Kind>::Forward<$t> };
    (@wire reset $t:ty) => { <K as $crate::bundle::Kind>::Reset<$t> };
    (@wire backward $t:ty) => { <K as $crate::bundle::Kind>::Backward<$t> };
    (@new $dir:ident one $t:ty, $w:tt, []) => { <K as $crate::bundle::Kind>::$dir::<$t>($crate::bundle!(@width $t, $w)) };
    (@new $dir:ident many $t:ty, $w:tt, [$n:expr]) => {
        (0..$n).map(|_| <K as $crate::bundle::Kind>::$dir::<$t>($crate::bundle!(@width $t, $w))).collect()
    };
    (@new $dir:ident maybe $t:ty, $w:tt, [$c:expr]) => {
        $crate::module::Opt::new($c, <K as $crate::bundle::Kind>::$dir::<$t>($crate::bundle!(@width $t, $w)))
    };
    (@new forward bundle $t:ty, $w:tt, [$($arg:expr),*]) => { <$t>::new($($arg),*) };
    (@new forward fields $t:ty, $w:tt, [$($arg:expr),*]) => { <$t>::new($($arg),*) };
    (@new forward perhaps $t:ty, $w:tt, [$c:expr; $($arg:expr),*]) => { $crate::module::Opt::new($c, <$t>::new($($arg),*)) };
    (@new forward several $t:ty, $w:tt, [$n:expr; $($arg:expr),*]) => { (0..$n).map(|_| <$t>::new($($arg),*)).collect() };
    (@describe fields $own:expr, $($doc:literal)*) => {};
    (@describe $shape:ident $own:expr, $($doc:literal)*) => { $crate::module!(@describe $own, $($doc)*) };
    (@first $own:ident, $text:ident, $f:ident $($more:ident)*) => {
        $crate::module::Part::head_group(&mut $own.$f, $text)
    };
    (@width $t:ty, []) => { <$t as rust_hdl::prelude::Synth>::BITS };
    (@width $t:ty, [$w:expr]) => { $w };
    (@part maybe $own:expr) => { &mut *$own };
    (@part perhaps $own:expr) => { &mut *$own };
    (@part $shape:ident $own:expr) => { &mut $own };
    (@copy backward $shape:ident $own:expr, $other:expr, $what:ident) => {
        if $what == $crate::bundle::What::BothWays {
            $crate::bundle::Joins::copy($crate::bundle!(@part $shape $other), &mut $own, $what);
        }
    };
    (@copy reset $shape:ident $own:expr, $other:expr, $what:ident) => {
        if $what != $crate::bundle::What::Payload {
            $crate::bundle::Joins::copy($crate::bundle!(@part $shape $own), &mut $other, $what);
        }
    };
    (@copy forward $shape:ident $own:expr, $other:expr, $what:ident) => {
        $crate::bundle::Joins::copy($crate::bundle!(@part $shape $own), &mut $other, $what)
    };
}
