//! The port shell: the ports that every warp scheduler has, declared once.
//!
//! A policy is a hardware module of its own, with all of these ports and the registers it adds, so a policy file
//! holds nothing but its state and its choice. [`scheduler!`](crate::scheduler) makes the module,
//! [`SchedulerSocket`](super::SchedulerSocket) lets a stage hold any of them.
use rust_hdl::core::atom::Atom;
use rust_hdl::prelude::*;

/// Hands the list of the standard ports to another macro: `callback! { [its own arguments] { ports } }`.
///
/// A port is `name: Direction Type = constructor`, over `cfg: &CoreConfig`, and grouped by where it comes from.
#[doc(hidden)]
#[macro_export]
macro_rules! scheduler_ports {
    ($callback:ident, $cfg:ident, [$($arguments:tt)*]) => {
        $crate::$callback! {
            [$($arguments)*]
            {
                /// Rising edge moves the state.
                clock: In Clock = Signal::default(),
                /// Synchronous, active high.
                reset: In Bit = Signal::default(),

                // From the stage that owns the scheduler.
                /// W bits: the candidates. At fetch: fetch-ready; at issue: issue-ready.
                ready_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits: ready but for the unit that is to take the instruction. At fetch: as `ready_warps`.
                data_ready_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits: the warps that this scheduler may ever grant.
                own_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// The grant of this cycle left the stage.
                fire: In Bit = Signal::default(),
                /// W bits: the warp that left the stage through this scheduler: the grant, if `fire`.
                fired_oh: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits: the warp for which an instruction was requested this cycle.
                fetch_fire_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W counts: instructions fetched and not yet issued. At issue: 0.
                unissued: In [Bits<4>] = $crate::rtl::cell::signals($cfg.warps, $crate::config::bits_for($cfg.queue_depth + 1)),
                /// W bits: the warps whose head issued this cycle, of all slices.
                issue_fire_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),

                // From the instruction queues.
                /// W bits: the head of the queue is a load or a store.
                memory_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits: the queue is empty.
                empty_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),

                // From the instruction cache and the schedule stage.
                /// W bits: waiting for a line of the instruction cache, from the cycle that signals the miss on.
                suspended_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// The instruction cache takes a request this cycle.
                icache_req_ready: In Bit = Signal::default(),

                // From the units.
                /// W bits: waiting at a barrier.
                barrier_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits, event: a load returned completely or a store was accepted completely.
                memory_done_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits, event: arrives at a barrier and will wait.
                barrier_arrive_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits, event: released from a barrier.
                barrier_release_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),

                // From the warp table.
                /// W bits: resident and not exited.
                active_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits, event: activated this cycle; active from the next cycle on.
                start_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W bits, event: exits this cycle; inactive from the next cycle on.
                exit_warps: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// W masks of W bits: bit `j` of element `i` says that warp `j` is older than warp `i`.
                older: In [Bits<32>] = $crate::rtl::cell::signals($cfg.warps, $cfg.warps),
                /// CTA slot of each warp.
                cta: In [Bits<5>] = $crate::rtl::cell::signals($cfg.warps, $cfg.wid_bits()),
                /// W bits, one a CTA slot, event: a CTA was dispatched to the slot.
                cta_start: In Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// All CTAs of the grid have been dispatched.
                last_cta_dispatched: In Bit = Signal::default(),
                /// Event: a kernel begins.
                kernel_start: In Bit = Signal::default(),

                // To the stage.
                /// A warp is granted.
                grant_valid: Out Bit = Signal::default(),
                /// W bits: the granted warp, or none.
                grant_oh: Out Bits<32> = $crate::rtl::cell::signal($cfg.warps),
                /// Its number; 0 without a grant.
                grant_wid: Out Bits<5> = $crate::rtl::cell::signal($cfg.wid_bits()),
            }
        }
    };
}

/// The Rust type of a port: one signal, or an array of them.
#[doc(hidden)]
#[macro_export]
macro_rules! scheduler_port_type {
    ($direction:ident [$type:ty]) => { Vec<Signal<$direction, $type>> };
    ($direction:ident $type:ty) => { Signal<$direction, $type> };
}

/// Struct and constructor of a module with the standard ports.
#[doc(hidden)]
#[macro_export]
macro_rules! scheduler_struct {
    (
        [
            [$(#[$meta:meta])* $name:ident, $cfg:ident]
            { $($(#[doc = $field_doc:literal])* $field:ident : $field_type:ty = $field_value:expr,)* }
        ]
        { $($(#[doc = $port_doc:literal])* $port:ident : $direction:ident $type:tt $(<$bits:literal>)? = $value:expr,)* }
    ) => {
        $crate::module! { @build [$(#[$meta])*] [pub] $name [] [$cfg: &$crate::config::CoreConfig] [clock reset] [] {
            $($(#[doc = $port_doc])* pub $port: $crate::scheduler_port_type!($direction $type $(<$bits>)?) = $value,)*
            $($(#[doc = $field_doc])* $field: $field_type = $field_value,)*
            _warps: usize = $cfg.warps,
        } }
    };
}

/// Makes a policy module: the standard ports, and the fields that follow.
///
/// ```text
/// scheduler! {
///     /// Doc comment of the module.
///     pub struct LooseRoundRobin(cfg) {
///         last_fired: Reg<Bits<32>> = Reg::<Bits<32>>::width(cfg.warps),
///     }
/// }
/// ```
///
/// The file then writes `impl Logic for LooseRoundRobin { #[hdl_gen] fn update(&mut self) { .. } }`, whose first
/// statement is `comment!("module LooseRoundRobin")`. It must drive the three grant ports; `self._warps` bounds its loops.
#[macro_export]
macro_rules! scheduler {
    ($(#[$meta:meta])* pub struct $name:ident($cfg:ident) {
        $($(#[doc = $field_doc:literal])* $field:ident : $field_type:ty = $field_value:expr),* $(,)?
    }) => {
        $crate::scheduler_ports! {
            scheduler_struct, $cfg,
            [[$(#[$meta])* $name, $cfg] { $($(#[doc = $field_doc])* $field: $field_type = $field_value,)* }]
        }
        $crate::scheduler_ports! { scheduler_policy, $cfg, [$name] }
    };
}

/// A policy module, as a socket sees it.
pub trait Policy: Block {
    /// Copies the socket's inputs to the module (for simulation inside rust-hdl; in Verilog they are one).
    fn read(&mut self, ports: &SchedulerPorts);
    /// Copies the module's grant to the socket.
    fn write(&self, ports: &mut SchedulerPorts);
    /// Takes over which inputs of the socket are driven.
    fn claim(&mut self, ports: &SchedulerPorts);
}

/// Implements [`Policy`] for a module with the standard ports.
#[doc(hidden)]
#[macro_export]
macro_rules! scheduler_policy {
    ([$name:ident] { $($(#[$meta:meta])* $port:ident : $direction:ident $type:tt $(<$bits:literal>)? = $value:expr,)* }) => {
        impl $crate::rtl::sched::Policy for $name {
            fn read(&mut self, ports: &$crate::rtl::sched::SchedulerPorts) {
                $($crate::rtl::sched::Port::read(&mut self.$port, &ports.$port);)*
            }
            fn write(&self, ports: &mut $crate::rtl::sched::SchedulerPorts) {
                $($crate::rtl::sched::Port::write(&self.$port, &mut ports.$port);)*
            }
            fn claim(&mut self, ports: &$crate::rtl::sched::SchedulerPorts) {
                $($crate::rtl::sched::Port::claim(&mut self.$port, &ports.$port);)*
            }
        }
    };
}

/// One port on both sides of a socket.
#[doc(hidden)]
pub trait Port {
    /// An input takes the socket's value.
    fn read(&mut self, socket: &Self);
    /// An output gives the socket its value.
    fn write(&self, socket: &mut Self);
    /// An input is driven if the socket's is.
    fn claim(&mut self, socket: &Self);
}

impl<T: Synth> Port for Signal<In, T> {
    fn read(&mut self, socket: &Self) {
        self.next = socket.val();
    }
    fn write(&self, _socket: &mut Self) {}
    fn claim(&mut self, socket: &Self) {
        if socket.connected() {
            self.connect();
        }
    }
}

impl<T: Synth> Port for Signal<Out, T> {
    fn read(&mut self, _socket: &Self) {}
    fn write(&self, socket: &mut Self) {
        socket.next = self.val();
    }
    fn claim(&mut self, _socket: &Self) {}
}

impl<P: Port> Port for Vec<P> {
    fn read(&mut self, socket: &Self) {
        self.iter_mut().zip(socket).for_each(|(port, socket)| port.read(socket));
    }
    fn write(&self, socket: &mut Self) {
        self.iter().zip(socket).for_each(|(port, socket)| port.write(socket));
    }
    fn claim(&mut self, socket: &Self) {
        self.iter_mut().zip(socket).for_each(|(port, socket)| port.claim(socket));
    }
}

scheduler_ports! {
    scheduler_struct, cfg,
    [[
        /// The standard ports alone: the parent's side of a [`SchedulerSocket`](super::SchedulerSocket).
        SchedulerPorts, cfg
    ] {}]
}

impl Logic for SchedulerPorts {
    fn update(&mut self) {}
}
