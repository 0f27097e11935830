//! The system that goes onto a board: core, memory with a program in it, serial console.

use hdl::verilog::{self, Design};
use loader::Program;
use model::memory::STARTUP_ADDR;
use rtl::board::{BoardParameters, BoardTop, PllSettings, BOARD_STACK_BYTES, OSCILLATOR_MHZ};
use rtl::GenerateError;
use spec::config::{BusKind, CoreConfig};

use super::pins::lpf;
use super::Board;

/// Name of the top module of a board.
pub const BOARD_TOP: &str = "heddle_board";
/// Largest block RAM that a system can have, in bytes.
const MAX_MEMORY: usize = 1 << 22;
/// How far the serial line may be from its baud rate; a receiver notices at about a twentieth.
const BAUD_TOLERANCE: f64 = 0.02;

/// What can be chosen besides the core and the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemOptions {
    /// Clock of everything, in MHz.
    pub mhz: f64,
    /// Bits a second on the serial line.
    pub baud: u32,
    /// Bytes of block RAM for program and stacks.
    pub memory_bytes: usize,
}

impl Default for SystemOptions {
    fn default() -> Self {
        Self { mhz: 25.0, baud: 115_200, memory_bytes: 64 << 10 }
    }
}

/// Why there is no such system.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SystemError {
    /// The memory here has the native bus.
    #[error("a board's memory has the native bus: leave out --bus axi4")]
    Bus,
    /// The PLL cannot make the clock.
    #[error("no clock of {0} MHz can be made from the board's {OSCILLATOR_MHZ} MHz: 3.2 to 400 MHz, in steps of a few percent, can")]
    Clock(f64),
    /// The serial line would be too far from its rate.
    #[error("{baud} baud cannot be made from a clock of {mhz} MHz")]
    Baud {
        /// Wanted rate.
        baud: u32,
        /// The clock.
        mhz: f64,
    },
    /// Not a size.
    #[error("a memory of {0} bytes: expected a power of two from 4096 to {MAX_MEMORY}")]
    MemorySize(usize),
    /// The stacks leave no room.
    #[error(
        "{threads} threads have {BOARD_STACK_BYTES} bytes of stack each, which leaves nothing of a memory of {memory} bytes"
    )]
    Stacks {
        /// Threads of the core.
        threads: usize,
        /// Bytes of memory.
        memory: usize,
    },
    /// The program has larger stacks than the memory's address decoder knows.
    #[error("{name}: its threads need {bytes} bytes of stack each, and have {BOARD_STACK_BYTES} on a board")]
    LargeStacks {
        /// The program.
        name: String,
        /// Bytes of each stack.
        bytes: u32,
    },
    /// The program does not fit.
    #[error(
        "{name} occupies {start:#010x}..{end:#010x}; the board's memory is {STARTUP_ADDR:#010x}..{room:#010x} \
         besides the stacks (--memory makes it larger)"
    )]
    Program {
        /// The program.
        name: String,
        /// Its first address.
        start: u64,
        /// The first address after it.
        end: u64,
        /// The first address after the memory for programs.
        room: u64,
    },
}

/// A system, ready to be printed.
#[derive(Clone, Debug)]
pub struct System {
    parameters: BoardParameters,
}

impl System {
    /// A system of these parts.
    ///
    /// # Errors
    /// See [`SystemError`].
    pub fn new(core: &CoreConfig, program: &Program, options: &SystemOptions) -> Result<Self, SystemError> {
        let SystemOptions { mhz, baud, memory_bytes } = *options;
        if core.bus != BusKind::Native {
            return Err(SystemError::Bus);
        }
        if !memory_bytes.is_power_of_two() || !(4096..=MAX_MEMORY).contains(&memory_bytes) {
            return Err(SystemError::MemorySize(memory_bytes));
        }
        let pll = PllSettings::for_mhz(mhz).ok_or(SystemError::Clock(mhz))?;
        let wanted = pll.mhz() * 1e6 / f64::from(baud.max(1));
        let uart_divider = wanted.round();
        if !(2.0..65_537.0).contains(&uart_divider) || (uart_divider / wanted - 1.0).abs() > BAUD_TOLERANCE {
            return Err(SystemError::Baud { baud, mhz });
        }
        if let Some(bytes) = program.larger_stacks() {
            return Err(SystemError::LargeStacks { name: program.name.clone(), bytes });
        }
        let threads = core.warps * core.threads;
        let stacks = threads.next_power_of_two() * BOARD_STACK_BYTES;
        if stacks >= memory_bytes {
            return Err(SystemError::Stacks { threads, memory: memory_bytes });
        }
        let image = image(program, memory_bytes - stacks)?;
        let core = CoreConfig { trace_port: false, ..core.clone() };
        let (uart_divider, entry) = (uart_divider as u32, program.entry);
        Ok(Self { parameters: BoardParameters { core, pll, uart_divider, memory_bytes, image, entry } })
    }

    /// The clock, in MHz.
    pub fn mhz(&self) -> f64 {
        self.parameters.pll.mhz()
    }

    /// Cycles of the clock that a bit on the serial line takes.
    pub fn uart_divider(&self) -> u32 {
        self.parameters.uart_divider
    }

    /// The Verilog, with [`BOARD_TOP`] as its top module; `header` heads every file.
    ///
    /// # Errors
    /// Rules that the core's configuration breaks.
    pub fn generate(&self, header: &[String]) -> Result<Design, GenerateError> {
        self.parameters.core.validate().map_err(GenerateError::Config)?;
        let mut top = BoardTop::new(&self.parameters);
        verilog::emit(&mut top, BOARD_TOP, header).map_err(GenerateError::Verilog)
    }

    /// The pins, in the form that nextpnr reads (LPF).
    ///
    /// # Panics
    /// If the board's table is not of the top level's ports: a bug.
    pub fn pins(&self, board: &Board) -> String {
        let mut top = BoardTop::new(&self.parameters);
        lpf(&mut top, board.pins).unwrap_or_else(|error| panic!("pins of {}: {error}", board.name))
    }
}

/// The words from 0x80000000 on.
fn image(program: &Program, room: usize) -> Result<Vec<u32>, SystemError> {
    let (first, end_of_room) = (u64::from(STARTUP_ADDR), u64::from(STARTUP_ADDR) + room as u64);
    let mut bytes = Vec::new();
    for segment in &program.segments {
        let start = u64::from(segment.address);
        let end = start + segment.bytes.len() as u64 + u64::from(segment.reserved);
        if start < first || end > end_of_room {
            return Err(SystemError::Program { name: program.name.clone(), start, end, room: end_of_room });
        }
        let at = (start - first) as usize;
        bytes.resize(bytes.len().max(at + segment.bytes.len()), 0);
        bytes[at..at + segment.bytes.len()].copy_from_slice(&segment.bytes);
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}
