//! Views of a run: files that people look at, each made from what the simulation has recorded of it
//! ([`RunOptions::record`](cosim::RunOptions::record)).

pub mod kanata;
pub mod pattern;
pub mod perfetto;
pub mod phases;
mod picture;

use cosim::{Instruction, Recording};

/// Why there is nothing to show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// No cycle was recorded.
    #[error("the run ended before cycle {from}: choose an earlier --wave-from")]
    Ended {
        /// The first cycle to record.
        from: u64,
    },
    /// Nobody decided by a pattern.
    #[error(
        "no iPAWS scheduler has decided by cycle {to}: no warp has ended that early; choose a later --wave-to, an earlier \
         --wave-from, or a kernel in which warps end one after another"
    )]
    Undecided {
        /// The last cycle that was looked at.
        to: u64,
    },
}

/// A recording that has cycles.
///
/// # Errors
/// It has none.
pub fn check(recording: &Recording) -> Result<(), Nothing> {
    match recording.end > recording.begin {
        true => Ok(()),
        false => Err(Nothing::Ended { from: recording.begin }),
    }
}

/// The cycle after an instruction's last, as far as it was recorded.
fn end(instruction: &Instruction, recording: &Recording) -> u64 {
    instruction.end().unwrap_or(recording.end)
}
