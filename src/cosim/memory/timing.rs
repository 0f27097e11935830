//! What every memory's timing is.

use model::timing::RowStats;

/// When a memory answers.
pub trait MemoryModel: Send {
    /// The cycle in which the response to a request accepted in `cycle` is on the bus, at least `cycle + 1`; `None` if that
    /// hangs on requests to come, and [`MemoryModel::clock`] tells it. Called once for each accepted request, in order.
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> Option<u64>;

    /// The end of a cycle, after its request: the number, from 0, of a request that was not told when it is answered, and the
    /// cycle in which it is, at least `cycle + 1`. Called in every cycle.
    fn clock(&mut self, _cycle: u64) -> Option<(u64, u64)> {
        None
    }

    /// Whether a request of this cycle can be accepted. Cycles do not go back.
    fn accepts(&mut self, _cycle: u64) -> bool {
        true
    }

    /// Until the next request nothing happens: it would be accepted in any cycle, and nobody has to be told of those before.
    fn rests(&self) -> bool {
        false
    }

    /// What the requests so far found in their rows, if the memory has rows.
    fn rows(&self) -> Option<RowStats> {
        None
    }
}
