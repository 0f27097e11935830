//! The boards that are supported.

/// A board: its FPGA, as the tools name it, and what it has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The name that `--board` takes.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// Arguments that choose the device in nextpnr-ecp5.
    pub device: &'static [&'static str],
    /// Four-input look-up tables (Lattice FPGA-DS-02012, ECP5 family data sheet, table 1.1).
    pub lut4: u64,
    /// Block RAMs of 18 Kbit.
    pub bram: u64,
    /// 18 x 18 multipliers.
    pub dsp: u64,
    /// The table of its pins.
    pub(super) pins: &'static str,
}

/// All boards.
pub const BOARDS: &[Board] = &[Board {
    name: "ulx3s-85f",
    summary: "Radiona ULX3S with a Lattice LFE5U-85F-6BG381C",
    device: &["--85k", "--package", "CABGA381", "--speed", "6"],
    lut4: 83_640,
    bram: 208,
    dsp: 156,
    pins: include_str!("../../../fpga/ulx3s-85f.toml"),
}];

impl Board {
    /// The board of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        BOARDS.iter().find(|board| board.name == name)
    }
}
