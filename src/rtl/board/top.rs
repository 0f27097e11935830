//! The board's top level: wiring only.
use crate::core::Core;
use crate::prelude::*;

use super::{Blinker, BoardMemory, ExitReport, Pll, PllSettings, PowerOnReset, UartTransmitter};

/// What a board's system is made of.
#[derive(Clone, Debug)]
pub struct BoardParameters {
    /// The core, with the native bus.
    pub core: CoreConfig,
    /// Its clock.
    pub pll: PllSettings,
    /// Cycles of that clock that a bit on the serial line takes.
    pub uart_divider: u32,
    /// Bytes of block RAM: see [`BoardMemory::new`].
    pub memory_bytes: usize,
    /// Words that it starts with.
    pub image: Vec<u32>,
    /// Where the program starts.
    pub entry: u32,
}

module! {
    /// A small system on a ULX3S: core, memory, serial console, LEDs.
    ///
    /// Ports: `clk_25mhz` (oscillator), `btn_pwr_n` (0 while the button is pressed) -> `ftdi_rxd` (serial line to the USB
    /// bridge), `led`: from bit 0 on: the core works; it has faulted; the program has ended; its exit code is not 0; it used
    /// an address that is not there; bytes are being sent; the reset is over; the clock runs (blinks).
    /// Latency: none of its own. Reset: `PowerOnReset`. Invariants: it only connects. Critical path: the core's.
    /// Source: ULX3S constraints file (pin names); docs/ISA.md, section 7. Mirror in the model: none; simulated as it is.
    pub struct BoardTop(parameters: &BoardParameters)
    let BoardParameters { core, pll, uart_divider, memory_bytes, image, entry } = parameters;
    {
        /// The board's oscillator.
        pub clk_25mhz: Signal<In, Clock>,
        /// The reset button, 0 while it is pressed.
        pub btn_pwr_n: Signal<In, Bit>,
        /// The serial line, named after the USB bridge's input.
        pub ftdi_rxd: Signal<Out, Bit>,
        /// The LEDs.
        pub led: Signal<Out, Bits<8>>,
        pll: Pll = Pll::new(*pll),
        power_on: PowerOnReset,
        core: Core = Core::new(&CoreConfig { grid: false, ..core.clone() }),
        memory: BoardMemory = BoardMemory::new(*memory_bytes, core.warps * core.threads, core.interleaved_stacks(), image),
        report: ExitReport = ExitReport::new(),
        uart: UartTransmitter = UartTransmitter::new(*uart_divider),
        blinker: Blinker = Blinker::new(),
        start_pc: Const<Bits<32>> = constant(32, u64::from(*entry)),
    }
}

impl Logic for BoardTop {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. clock and reset");
        self.pll.clock_in.next = self.clk_25mhz.val();
        self.power_on.clock.next = self.pll.clock_out.val();
        self.core.clock.next = self.pll.clock_out.val();
        self.memory.clock.next = self.pll.clock_out.val();
        self.report.clock.next = self.pll.clock_out.val();
        self.uart.clock.next = self.pll.clock_out.val();
        self.blinker.clock.next = self.pll.clock_out.val();
        self.power_on.locked.next = self.pll.locked.val();
        self.power_on.released.next = self.btn_pwr_n.val();
        self.core.reset.next = self.power_on.reset.val();
        self.memory.reset.next = self.power_on.reset.val();
        self.report.reset.next = self.power_on.reset.val();
        self.uart.reset.next = self.power_on.reset.val();
        comment!("2. the core and its memory");
        self.core.control_.start_pc.next = self.start_pc.val();
        self.core.control_.start_arg.next = 0.into();
        self.core.control_.mpm_class.next = 0.into();
        Wires::join(&mut self.core.mem_req, &mut self.memory.req);
        Wires::join(&mut self.memory.rsp, &mut self.core.mem_rsp);
        comment!("3. what it says");
        self.report.core_busy.next = self.core.control_.busy.val();
        self.report.fault_valid.next = self.core.fault.valid.val();
        self.report.fault_pc.next = self.core.fault.pc.val();
        self.report.exit_code.next = self.memory.exit_code.val();
        Wires::join(&mut self.memory.console, &mut self.report.console);
        Wires::join(&mut self.report.put, &mut self.uart.put);
        self.ftdi_rxd.next = self.uart.tx.val();
        comment!("4. the LEDs");
        self.led.next = bit_cast::<8, 1>(self.core.control_.busy.val().into())
            | (bit_cast::<8, 1>(self.report.faulted.val().into()) << 1)
            | (bit_cast::<8, 1>(self.report.ended.val().into()) << 2)
            | (bit_cast::<8, 1>(self.memory.exit_code.val().any().into()) << 3)
            | (bit_cast::<8, 1>(self.memory.stray.val().into()) << 4)
            | (bit_cast::<8, 1>(self.uart.busy.val().into()) << 5)
            | (bit_cast::<8, 1>((!self.power_on.reset.val()).into()) << 6)
            | (bit_cast::<8, 1>(self.blinker.light.val().into()) << 7);
    }
}
