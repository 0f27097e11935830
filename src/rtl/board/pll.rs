//! The clock of a board: ECP5's PLL.
use crate::prelude::*;

/// The board's oscillator.
pub const OSCILLATOR_MHZ: f64 = 25.0;
/// Limits of the PLL (Lattice FPGA-DS-02012, table 3.22): its oscillator, and its phase detector's inputs, in MHz.
const VCO_MHZ: std::ops::Range<f64> = 400.0..800.1;
const DETECTOR_MHZ: std::ops::Range<f64> = 10.0..400.1;
/// How far a clock may be from the one that is asked for.
const TOLERANCE: f64 = 0.005;

/// Dividers of the PLL: the oscillator's clock is divided by `reference`, multiplied by `multiplier` into that of the
/// PLL's own oscillator, and this divided by `output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PllSettings {
    /// Divides the board's clock.
    pub reference: u32,
    /// Divides the PLL's oscillator on the way back to the phase detector.
    pub multiplier: u32,
    /// Divides the PLL's oscillator into the clock.
    pub output: u32,
}

impl PllSettings {
    /// The settings that come nearest to a clock of `mhz`; of those, the ones with the fastest phase detector, which
    /// has the least jitter. `None` if none is within half a percent.
    pub fn for_mhz(mhz: f64) -> Option<Self> {
        let settings = (1..129).flat_map(|reference| {
            (1..129).flat_map(move |multiplier| {
                (1..129).map(move |output| Self { reference, multiplier, output })
            })
        });
        let off = |settings: &Self| (settings.mhz() - mhz).abs();
        settings
            .take_while(|settings| DETECTOR_MHZ.contains(&settings.detector_mhz()))
            .filter(|settings| VCO_MHZ.contains(&settings.vco_mhz()) && off(settings) <= mhz * TOLERANCE)
            .min_by(|a, b| off(a).total_cmp(&off(b)).then(a.reference.cmp(&b.reference)))
    }

    fn detector_mhz(&self) -> f64 {
        OSCILLATOR_MHZ / f64::from(self.reference)
    }

    /// The clock of the PLL's own oscillator.
    pub fn vco_mhz(&self) -> f64 {
        self.detector_mhz() * f64::from(self.multiplier)
    }

    /// The clock that they give.
    pub fn mhz(&self) -> f64 {
        OSCILLATOR_MHZ * f64::from(self.multiplier) / f64::from(self.reference * self.output)
    }
}

/// ECP5's PLL as a clock multiplier.
///
/// Ports: `clock_in`, the board's oscillator -> `clock_out`, `locked` (the clock is steady). Latency: it locks within
/// 15 ms. Reset: none, it starts by itself. Invariants: none. Critical path: none, no logic.
/// Source: Lattice FPGA-TN-02200 (sysCLOCK PLL). Mirror in the model: `sim/ehxplll.v`, which passes the clock through.
#[derive(LogicBlock)]
pub struct Pll {
    /// The board's oscillator.
    pub clock_in: Signal<In, Clock>,
    /// The clock of everything else.
    pub clock_out: Signal<Out, Clock>,
    /// `clock_out` is steady.
    pub locked: Signal<Out, Bit>,
    _settings: PllSettings,
}

impl Pll {
    /// A PLL with these dividers.
    pub fn new(settings: PllSettings) -> Self {
        Self {
            clock_in: Signal::default(),
            clock_out: Signal::default(),
            locked: Signal::default(),
            _settings: settings,
        }
    }
}

impl Part for Pll {}

impl Logic for Pll {
    fn update(&mut self) {
        // rust-hdl's own simulator meets it as a wire; what a PLL does to time is beyond it.
        self.clock_out.next = self.clock_in.val();
        self.locked.next = true;
    }
    fn connect(&mut self) {
        self.clock_out.connect();
        self.locked.connect();
    }
    fn hdl(&self) -> Verilog {
        let PllSettings { reference, multiplier, output } = self._settings;
        Verilog::Custom(format!(
            "// module Pll\n\
             // ECP5's PLL: {OSCILLATOR_MHZ} MHz in, {mhz:.3} MHz out.\n\
             wire clock;\n\
             wire back; // to the phase detector\n\
             wire steady;\n\n\
             assign clock_out = clock;\n\
             assign locked = steady;\n\
             (* FREQUENCY_PIN_CLKI = \"{OSCILLATOR_MHZ}\", FREQUENCY_PIN_CLKOP = \"{mhz:.3}\" *)\n\
             (* ICP_CURRENT = \"12\", LPF_RESISTOR = \"8\", MFG_ENABLE_FILTEROPAMP = \"1\", MFG_GMCREF_SEL = \"2\" *)\n\
             EHXPLLL #(\n\
             \x20 .CLKI_DIV({reference}),\n\
             \x20 .CLKFB_DIV(1),\n\
             \x20 .CLKOP_ENABLE(\"ENABLED\"),\n\
             \x20 .CLKOP_DIV({output}),\n\
             \x20 .CLKOP_CPHASE({output_phase}),\n\
             \x20 .CLKOS_ENABLE(\"ENABLED\"),\n\
             \x20 .CLKOS_DIV({multiplier}),\n\
             \x20 .CLKOS_CPHASE({back_phase}),\n\
             \x20 .FEEDBK_PATH(\"CLKOS\")\n\
             ) pll (\n\
             \x20 .CLKI(clock_in),\n\
             \x20 .CLKFB(back),\n\
             \x20 .CLKOP(clock),\n\
             \x20 .CLKOS(back),\n\
             \x20 .LOCK(steady),\n\
             \x20 .RST(1'b0),\n\
             \x20 .STDBY(1'b0),\n\
             \x20 .ENCLKOP(1'b0),\n\
             \x20 .ENCLKOS(1'b0)\n\
             );\n",
            output_phase = output - 1,
            back_phase = multiplier - 1,
            mhz = self._settings.mhz()
        ))
    }
}
