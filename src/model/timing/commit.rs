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

/// What the arithmetic units of a slice have for a write port, in the order of its priority, and for which warps.
pub(super) type Offers = [Option<(Port, u8)>; 3];

/// Chooses for every slice. `loads` tells the slices for which the load-store unit has a result, `special` the warp
/// for which the special unit has one.
///
/// A result goes to the slice that owns its warp. What a slice has for warps of others goes there, one a cycle; of several
/// for one slice that of the largest number. There it stands behind the load-store unit and the special unit.
pub(super) fn choose<const MOST: usize>(
    offers: &[Offers; MOST],
    slices: usize,
    loads: [bool; MOST],
    special: Option<u8>,
) -> [Writes; MOST] {
    let mut writes = [Writes::default(); MOST];
    if slices == 1 {
        let units = [loads[0].then_some(Port::Memory), special.map(|_| Port::Special)].into_iter().flatten();
        writes[0].own = units.chain(offers[0].iter().flatten().map(|(port, _)| *port)).next();
        return writes;
    }
    let owner = |wid: u8| slice_of(wid.into(), slices);
    // 1. what comes home to each slice, and from where
    let mut home = [None; MOST];
    for (slice, offers) in offers.iter().enumerate().take(slices) {
        let foreign = offers.iter().flatten().find(|&&(_, wid)| owner(wid) != slice);
        if let Some(&(port, wid)) = foreign {
            home[owner(wid)] = Some((slice, port));
        }
    }
    // 2. the priority
    for (slice, home) in home.into_iter().enumerate().take(slices) {
        if loads[slice] {
            writes[slice].own = Some(Port::Memory);
        } else if special.map(owner) == Some(slice) {
            writes[slice].own = Some(Port::Special);
        } else if let Some((from, port)) = home {
            writes[from].away = Some(port);
        } else {
            let own = offers[slice].iter().flatten().find(|&&(_, wid)| owner(wid) == slice);
            writes[slice].own = own.map(|(port, _)| *port);
        }
    }
    writes
}
