//! From a board's table of pins to the constraints file of nextpnr.

use rust_hdl::prelude::*;
use rust_hdl_fpga_support::toolchains::ecp5::generate_lpf;
use serde::Deserialize;

use hdl::cell::WIDTH_MARK;
use rtl::board::BoardTop;

/// A port of the board's top level.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    port: String,
    /// A ball of the package for each bit.
    sites: Vec<String>,
    /// UP, DOWN or NONE.
    pull: String,
    /// Output current in mA.
    drive: Option<u32>,
    /// A clock's frequency.
    mhz: Option<f64>,
}

/// All of them, as in the files in `fpga/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PinTable {
    pin: Vec<Pin>,
}

/// Gives the ports of `top` the pins that `table` says, and makes the constraints file of them.
///
/// # Errors
/// A table that cannot be read or that is not of these ports.
pub(super) fn lpf(top: &mut BoardTop, table: &str) -> Result<String, String> {
    let table: PinTable = toml::from_str(table).map_err(|error| error.to_string())?;
    for pin in &table.pin {
        match pin.port.as_str() {
            "clk_25mhz" => pin.constrain(&mut top.clk_25mhz)?,
            "btn_pwr_n" => pin.constrain(&mut top.btn_pwr_n)?,
            "ftdi_rxd" => pin.constrain(&mut top.ftdi_rxd)?,
            "led" => pin.constrain(&mut top.led)?,
            port => return Err(format!("there is no port {port}")),
        }
    }
    let text = generate_lpf(top);
    // Our marks on signals inside are constraints too, as far as rust-hdl knows.
    let lines = text.lines().filter(|line| !line.starts_with(WIDTH_MARK));
    Ok(lines.map(|line| format!("{line}\n")).collect())
}

impl Pin {
    fn constrain<D: Direction, T: Synth>(&self, signal: &mut Signal<D, T>) -> Result<(), String> {
        if self.sites.len() != T::BITS {
            return Err(format!("{} has {} bits and {} sites", self.port, T::BITS, self.sites.len()));
        }
        for (index, site) in self.sites.iter().enumerate() {
            let mut add = |constraint| signal.add_constraint(PinConstraint { index, constraint });
            add(Constraint::Location(site.clone()));
            add(Constraint::Kind(SignalType::LowVoltageCMOS_3v3));
            let name = if T::BITS == 1 { self.port.clone() } else { format!("{}[{index}]", self.port) };
            let drive = self.drive.map_or(String::new(), |drive| format!(" DRIVE={drive}"));
            add(Constraint::Custom(format!("IOBUF PORT \"{name}\" PULLMODE={}{drive}", self.pull)));
            if let Some(mhz) = self.mhz {
                let timing = PeriodicTiming { net: name, period_nanoseconds: 1000.0 / mhz, duty_cycle: 50.0 };
                add(Constraint::Timing(Timing::Periodic(timing)));
            }
        }
        Ok(())
    }
}
