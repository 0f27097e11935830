//! Commit: whose result the register file of each slice takes in a cycle.

use super::slice_of;

/// Whose result is written in a cycle. The order is that of the write port's priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    Memory,
    Special,
    Divider,
    SlowFloat,
    Float,
    Integer,
}

/// What leaves the units of a slice: a result of one of its own warps, and one that goes to the slice of its warp.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Writes {
    pub own: Option<Port>,
    pub away: Option<Port>,
}

impl Writes {
    pub fn take(self, port: Port) -> bool {
        self.own == Some(port) || self.away == Some(port)
    }
}

/// Chooses for every slice. `offer` gives, of a slice, what its arithmetic units have for its own warps, or for those of others:
/// the first in the order of the write port's priority, and the warp. It has something for others only if slices share warps
/// (`shared`). `loads` tells the slices for which the load-store unit has a result, `special` the warp for which the special
/// unit has one.
///
/// A result goes to the slice that owns its warp. What a slice has for warps of others goes there, one a cycle; of several
/// for one slice that of the largest number. There it stands behind the load-store unit and the special unit.
#[inline(always)]
pub(super) fn choose<const MOST: usize>(
    offer: impl Fn(usize, bool) -> Option<(Port, u8)>,
    slices: usize,
    shared: bool,
    loads: [bool; MOST],
    special: Option<u8>,
) -> [Writes; MOST] {
    let owner = |wid: u8| slice_of(wid.into(), slices);
    // 1. what comes home to each slice, and from where
    let mut home = [None; MOST];
    if shared {
        for slice in 0..slices {
            if let Some((port, wid)) = offer(slice, false) {
                home[owner(wid)] = Some((slice, port));
            }
        }
    }
    // 2. the priority
    let mut writes = [Writes::default(); MOST];
    for slice in 0..slices {
        if loads[slice] {
            writes[slice].own = Some(Port::Memory);
        } else if special.map(owner) == Some(slice) {
            writes[slice].own = Some(Port::Special);
        } else if let Some((from, port)) = home[slice] {
            writes[from].away = Some(port);
        } else {
            writes[slice].own = offer(slice, true).map(|(port, _)| port);
        }
    }
    writes
}
