//! A board's top level in simulation: what its serial line says.

use super::uart::UartReceiver;
use super::verilator::{compile, BuildOptions, Error, Port, Result, Status};

/// The PLL, which the generated Verilog leaves to the FPGA.
const PLL: &str = include_str!("../../sim/ehxplll.v");

/// How a board behaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRun {
    /// All that came over the serial line.
    pub text: String,
    /// Cycles from power-up until the end.
    pub cycles: u64,
    /// Whether the program ended, or faulted, in time.
    pub ended: bool,
    /// The LEDs at the end: see [`BoardTop`](rtl::board::BoardTop).
    pub led: u8,
    /// Frames on the serial line that were broken.
    pub broken_frames: u32,
}

/// LEDs: the core has faulted, the program has ended, its exit code is not 0, bytes are being sent.
const FAULTED: u8 = 1 << 1;
const ENDED: u8 = 1 << 2;
const FAILED: u8 = 1 << 3;
const SENDING: u8 = 1 << 5;

/// Runs a board's Verilog, whose bits on the serial line take `divider` cycles, from power-up until the program has
/// ended and everything is said, or for `max_cycles`. Nobody presses the button.
///
/// # Errors
/// Missing tools, Verilog that they refuse, or a simulation that stops by itself.
pub fn simulate_board(
    verilog: &str,
    top: &str,
    divider: u32,
    max_cycles: u64,
    options: &BuildOptions,
) -> Result<BoardRun> {
    let library = compile(&format!("{verilog}\n{PLL}"), top, options)?;
    let (clock, button): (Port<u8>, Port<u8>) = (library.port("clk_25mhz")?, library.port("btn_pwr_n")?);
    let (line, led): (Port<u8>, Port<u8>) = (library.port("ftdi_rxd")?, library.port("led")?);
    let mut model = library.instance()?;
    let mut receiver = UartReceiver::new(divider);
    model.set(button, 1);
    let mut cycles = 0;
    let mut ended = false;
    // The last bit is still on the line when the transmitter has nothing more to send.
    let mut rest = 2 * divider;
    while cycles < max_cycles && rest > 0 {
        if model.cycles(clock, 1)? == Status::Finished {
            return Err(Error::Stopped("unexpected $finish".into()));
        }
        cycles += 1;
        receiver.sample(model.get(line) != 0);
        ended = model.get(led) & (ENDED | SENDING) == ENDED;
        // The last line begins a few cycles after the end.
        rest = if ended { rest - 1 } else { 2 * divider };
    }
    let text = String::from_utf8_lossy(receiver.bytes()).into_owned();
    Ok(BoardRun { text, cycles, ended, led: model.get(led), broken_frames: receiver.errors() })
}

impl BoardRun {
    /// Whether the program ended without a fault and with an exit code of 0.
    pub fn succeeded(&self) -> bool {
        self.ended && self.led & (FAULTED | FAILED) == 0
    }
}
