//! The port shell: what every warp scheduler has in common.
//!
//! A policy is a hardware module of its own, with the ports of [`view`](super::view) and the registers it adds, so a policy
//! file holds nothing but its state and its choice. [`scheduler!`](crate::scheduler) makes the module,
//! [`SchedulerSocket`](super::SchedulerSocket) lets a stage hold any of them.
use super::SchedulerPorts;
use crate::prelude::*;

/// Makes a policy module: the standard ports, and the fields that follow.
///
/// ```text
/// scheduler! {
///     /// Doc comment of the module.
///     pub struct LooseRoundRobin(cfg) {
///         last_fired: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
///     }
/// }
/// ```
///
/// The file then writes `impl Logic for LooseRoundRobin { #[hdl_gen] fn update(&mut self) { .. } }`. It must drive `self.grant`; `self._warps` bounds its loops.
#[macro_export]
macro_rules! scheduler {
    ($(#[doc = $about:literal])* pub struct $name:ident($cfg:ident) { $($fields:tt)* }) => {
        ::hdl::module! {
            $(#[doc = $about])*
            pub struct $name($cfg: &::spec::config::CoreConfig) [clock, reset]
            {
                /// What the stage that owns the scheduler tells it alone. Masks have a bit, arrays an element for each warp.
                pub stage: $crate::sched::StageView<In> = $crate::sched::StageView::new($cfg),
                /// What all schedulers of the core see alike.
                pub core: $crate::sched::CoreView<In> = $crate::sched::CoreView::new($cfg),
                /// What they see of CTAs, if a policy orders these.
                pub tables: $crate::sched::CtaTables<In> = $crate::sched::CtaTables::new($cfg),
                /// The choice.
                pub grant: $crate::sched::Grant<Out> = $crate::sched::Grant::new($cfg),
                _warps: usize = $cfg.warps,
                $($fields)*
            }
        }

        impl $crate::sched::Policy for $name {
            fn plug(&mut self, socket: &mut $crate::sched::SchedulerPorts) {
                self.clock.next = socket.clock.val();
                self.reset.next = socket.reset.val();
                ::hdl::bundle::Wires::join(&mut socket.stage, &mut self.stage);
                ::hdl::bundle::Wires::join(&mut socket.core, &mut self.core);
                ::hdl::bundle::Wires::join(&mut socket.tables, &mut self.tables);
                ::hdl::bundle::Wires::join(&mut self.grant, &mut socket.grant);
            }
            fn claim(&mut self) {
                rust_hdl::prelude::Logic::connect(&mut self.clock);
                rust_hdl::prelude::Logic::connect(&mut self.reset);
                ::hdl::bundle::Joined::join_connect(&mut self.stage);
                ::hdl::bundle::Joined::join_connect(&mut self.core);
                ::hdl::bundle::Joined::join_connect(&mut self.tables);
            }
        }
    };
}

/// A policy module, as a socket sees it.
pub trait Policy: Block {
    /// Takes the socket's inputs and gives it the grant (for simulation inside rust-hdl; in Verilog they are one).
    fn plug(&mut self, socket: &mut SchedulerPorts);
    /// Marks the inputs as connected; that the stage drives them all is for the back end to see.
    fn claim(&mut self);
}
