//! The reset that a board's core begins with.
use crate::prelude::*;

/// Holds the reset from power-up on until the clock is good.
///
/// Ports, from outside and in no relation to the clock: `locked` (the PLL's clock is steady), `released` (the button is
/// not pressed); to all modules: `reset`, synchronous to `clock`. Latency: reset ends 128 cycles after both are 1, and
/// begins two to three cycles after one is not. Reset: none; the registers start at the value that the bitstream gives
/// them, with the reset on, so that it is there from the first clock edge without anybody's help. Invariants: none.
/// Critical path: a counter of 8 bits. Source: Lattice FPGA-TN-02200 (LOCK is asynchronous). Mirror in the model: none.
#[derive(LogicBlock, Default)]
pub struct PowerOnReset {
    /// Rising edge counts.
    pub clock: Signal<In, Clock>,
    /// The clock is steady; asynchronous.
    pub locked: Signal<In, Bit>,
    /// The reset button is not pressed; asynchronous.
    pub released: Signal<In, Bit>,
    /// Synchronous, active high.
    pub reset: Signal<Out, Bit>,
    _synchronised: [bool; 2],
    _count: u32,
}

/// Cycles for which everything must be well: 2 to the power of this.
const COUNT_BITS: u32 = 7;

clocked!(PowerOnReset);

impl Logic for PowerOnReset {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let [good, first] = self._synchronised;
            self._count = match (good, self._count >> COUNT_BITS) {
                (false, _) => 0,
                (true, 0) => self._count + 1,
                (true, _) => self._count,
            };
            self._synchronised = [first, self.locked.val() & self.released.val()];
        }
        self.reset.next = self._count >> COUNT_BITS == 0;
    }
    fn connect(&mut self) {
        self.reset.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "// module PowerOnReset\n\
             // Holds the reset from power-up on until the clock is good.\n\
             reg [1:0] good; // through two registers, because it comes at any time\n\
             reg [{COUNT_BITS}:0] count;\n\n\
             initial good = 2'd0;\n\
             initial count = {bits}'d0;\n\
             assign reset = !count[{COUNT_BITS}];\n\
             always @(posedge clock) begin\n\
             \x20 good <= {{good[0], locked && released}};\n\
             \x20 if (!good[1]) count <= {bits}'d0;\n\
             \x20 else if (!count[{COUNT_BITS}]) count <= count + {bits}'d1;\n\
             end\n",
            bits = COUNT_BITS + 1
        ))
    }
}
