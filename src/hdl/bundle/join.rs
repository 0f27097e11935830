//! The verbs of a module's logic, and what they do in rust-hdl's own simulation.
use super::kind::{Value, Wire};
use super::{EITHER, FORWARD_ONLY, PAYLOAD_ONLY};
use crate::module::Opt;
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};

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

impl<A: Wire, B: Wire<Of = A::Of>> Joins<B> for Opt<A> {
    fn copy(&mut self, to: &mut B, what: What) {
        (**self).copy(to, what);
    }
}

impl<A: Joins<B>, B> Joins<Vec<B>> for Opt<Vec<A>> {
    fn copy(&mut self, to: &mut Vec<B>, what: What) {
        (**self).copy(to, what);
    }
}

/// What the `connect` of a module's logic calls; rust-hdl's own knows neither arrays nor the inside of a module.
pub mod logic {
    use super::Joined;
    pub use rust_hdl::core::logic::*;

    /// Marks as connected what a join drives.
    pub fn logic_connect_join_fn<A: Joined, B: Joined>(from: &mut A, to: &mut B) {
        from.join_connect();
        to.join_connect();
    }
}

macro_rules! verb {
    ($(#[doc = $doc:literal])* $verb:ident, $what:ident, $link:expr) => {
        $(#[doc = $doc])*
        pub struct $verb;

        impl $verb {
            /// Joins the first with the second.
            pub fn join<A: Joins<B>, B>(from: &mut A, to: &mut B) {
                from.copy(to, What::$what);
            }
            /// What [`join`](Self::join) is in a syntax tree.
            pub fn join_hdl(_: &str, from: &str, to: &str) -> Vec<VerilogLink> {
                let names = VerilogLinkDetails {
                    my_name: String::from($link),
                    owner_name: from.into(),
                    other_name: to.into(),
                };
                vec![VerilogLink::Forward(names)]
            }
        }
    };
}
verb! {
    /// Connects bundles: `Wires::join(&mut self.producer.x, &mut self.consumer.x)`.
    ///
    /// Forward signals go from the first to the second, backward signals from the second to the first. A module's own input
    /// bundle is a producer for its children, its own output bundle a consumer.
    Wires, BothWays, ""
}
verb! {
    /// Copies what a bundle says: `Data::join(&mut self.from, &mut self.to)`. Nothing goes back.
    Data, Forward, FORWARD_ONLY
}
verb! {
    /// Copies what a valid bit guards: `Payload::join(&mut self.from, &mut self.to)`. It is [`Data`] without the signals marked
    /// `reset`, which the logic then gives their value itself.
    Payload, Payload, PAYLOAD_ONLY
}
verb! {
    /// Adds what a bundle says, bit by bit: `Either::join(&mut self.from, &mut self.to)`. Of several under conditions that
    /// exclude each other the one comes out that is chosen, if it was all zeros before; nothing goes back.
    Either, Either, EITHER
}
