//! Collectors between the operand stage and each class of unit: one entry, or for memory a queue.
//!
//! The class of an instruction says which collector it goes through: `sp` for the integer unit, the
//! multiplier and the floating-point pipeline, `mem` for the load-store unit, `sfu` for the special unit, the slice's
//! divider and its slow floating-point unit. An instruction
//! of the classes `mem` and `sfu` issues only when its collector is certain to be free, so a slow memory never
//! holds the operand stage, and with it the arithmetic of the other warps. Between the queue for memory and what follows it,
//! a core of several slices keeps order at barriers and where warps start and end: by [`AccessOrder`], or where warps are shared
//! and a warp's accesses may be in another slice's queue, by `sharing::ClassOrder`.
mod mem;
mod order;
mod sfu;
mod sp;

pub use mem::MemCollector;
pub use order::AccessOrder;
pub use sfu::SfuCollector;
pub use sp::SpCollector;
