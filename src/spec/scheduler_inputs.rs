//! What a warp scheduler sees: the one list of it, from which everything else is made.
//!
//! The hardware's bundles (`rtl::sched::view`) and with them the ports of the policies, of the stages and of the trace; the
//! reference models' `model::sched::View`; what the co-simulation reads (`cosim::seen`); and in the tests the
//! drivers of the contract and the inputs of the proofs. What a policy makes of it is written twice, and only that.

/// Hands the list to a macro: groups of `field: kind Type`.
///
/// The kind is `state`, or `event`: true for one cycle, and no grant of that cycle may depend on it; or `part`: a group
/// inside. `Mask` is a bit for each warp, `CtaMask` for each CTA slot, `Flag` a bit; `Masks`, `Slots` and `Counts` are a mask, a CTA
/// slot, a count of instructions for each warp. A group that a unit drives whole is a group of its own.
#[macro_export]
macro_rules! scheduler_inputs {
    ($callback:ident) => {
        $callback! {
            /// What the stage that owns a scheduler tells it alone.
            StageView {
                /// The candidates. At fetch: fetch-ready; at issue: issue-ready.
                ready_warps: state Mask,
                /// Ready but for the unit that is to take the instruction. At fetch: as `ready_warps`.
                data_ready_warps: state Mask,
                /// The warps that this scheduler may ever grant.
                own_warps: state Mask,
                /// The head of the queue is a load or a store.
                memory_warps: state Mask,
                /// The queue is empty. At fetch: and nothing is on its way to it.
                empty_warps: state Mask,
                /// Instructions fetched and not yet issued. At issue: 0.
                unissued: state Counts,
                /// The grant of this cycle left the stage.
                fire: event Flag,
                /// The warp that left the stage through this scheduler: the grant, if `fire`.
                fired_oh: event Mask,
            }

            /// What barriers do, from the special unit.
            BarrierEvents {
                /// Waiting at a barrier.
                warps: state Mask,
                /// Arrives at a barrier and, unless released in the same cycle, will wait.
                arrive_warps: event Mask,
                /// Released from a barrier.
                release_warps: event Mask,
            }

            /// What becomes of loads and stores, from the load/store unit.
            MemoryEvents {
                /// A load returned completely or a store was accepted completely.
                done_warps: event Mask,
            }

            /// What all schedulers of the core see alike: the state of the warps, and what happens to them.
            CoreView {
                /// Resident and not exited.
                active_warps: state Mask,
                /// Activated this cycle; active from the next cycle on.
                start_warps: event Mask,
                /// Exits this cycle; inactive from the next cycle on.
                exit_warps: event Mask,
                /// Bit `j` of element `i` says that warp `j` is older than warp `i`.
                older: state Masks,
                /// CTA slot of each warp.
                cta: state Slots,
                /// One bit a CTA slot: a CTA was dispatched to the slot.
                cta_start: event CtaMask,
                /// All CTAs of the grid have been dispatched.
                last_cta_dispatched: state Flag,
                /// A kernel begins.
                kernel_start: event Flag,
                /// Waiting for a line of the instruction cache, from the second cycle after the request on.
                held_warps: state Mask,
                /// The instruction cache takes a request this cycle.
                icache_req_ready: state Flag,
                /// The warp for which an instruction was requested this cycle.
                fetch_fire_warps: event Mask,
                /// The warps whose head issued this cycle, of all slices.
                issue_fire_warps: event Mask,
                /// Data-ready and not issue-ready: the head's class has no room, in whichever slice.
                blocked_warps: state Mask,
                /// Barriers.
                barrier: part BarrierEvents,
                /// Loads and stores.
                memory: part MemoryEvents,
            }
        }
    };
}
