//! Votes and shuffles between the lanes of a warp (docs/ISA.md, section 3.1).

use super::control::condition;
use crate::per_warp::members;
use crate::retire::Retire;
use crate::warp::Lanes;
use isa::Op;

/// What all lanes get from a vote.
pub(super) fn vote(retire: &mut Retire, a: &Lanes) {
    let (ayes, all) = (condition(a, 0) & retire.tmask, retire.tmask);
    let result = match retire.op {
        Op::VoteAll => u32::from(ayes == all),
        Op::VoteAny => u32::from(ayes != 0),
        Op::VoteUni => u32::from(ayes == all || ayes == 0),
        _ => ayes,
    };
    retire.values = [result; 32];
}

/// Each lane's value from another lane, or its own; 0 from one that is not active.
pub(super) fn shuffle(retire: &mut Retire, a: &Lanes, b: &Lanes, threads: usize) {
    for lane in members(retire.tmask) {
        let source = shuffle_source(retire.op, lane, b[lane], retire.tmask, threads);
        retire.values[lane] = source.map_or(0, |source| a[source]);
    }
}

/// The lane whose value `lane` gets from the shuffle `op`, for which it has `asked`; `None` if that is not active.
pub fn shuffle_source(op: Op, lane: usize, asked: u32, tmask: u32, threads: usize) -> Option<usize> {
    let field = |at: u32| (asked >> at) as usize & (threads - 1);
    let (distance, clamp, segment) = (field(0), field(6), field(12));
    let first = lane & segment;
    let last = first | clamp & !segment;
    let source = match op {
        Op::ShflUp => lane.checked_sub(distance).filter(|&source| source >= first),
        Op::ShflDown => Some(lane + distance).filter(|&source| source <= last),
        Op::ShflBfly => Some(lane ^ distance).filter(|&source| source <= last),
        _ => Some(first | distance & !segment).filter(|&source| source <= last),
    };
    source.or(Some(lane)).filter(|&source| tmask >> source & 1 != 0)
}
