//! What the tools report, in our terms.

use serde::Serialize;
use serde_json::Value;

/// What a design occupies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Four-input look-up tables.
    pub lut4: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 18 Kbit.
    pub bram: u64,
    /// 18 x 18 multipliers.
    pub dsp: u64,
    /// Carry cells, of two look-up tables each, which `lut4` leaves out.
    pub carry: u64,
    /// Look-up tables used as RAM, 16 words of 4 bits each, which `lut4` leaves out.
    pub lut_ram: u64,
}

impl std::ops::Add for Area {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            lut4: self.lut4 + other.lut4,
            ff: self.ff + other.ff,
            bram: self.bram + other.bram,
            dsp: self.dsp + other.dsp,
            carry: self.carry + other.carry,
            lut_ram: self.lut_ram + other.lut_ram,
        }
    }
}

impl Area {
    /// Reads what yosys' `stat -json` wrote.
    pub(super) fn parse(stat: &str) -> Option<Self> {
        let stat: Value = serde_json::from_str(stat).ok()?;
        let cells = stat.pointer("/design/num_cells_by_type")?;
        let count = |name: &str| cells.get(name).and_then(Value::as_u64).unwrap_or(0);
        Some(Self {
            lut4: count("LUT4"),
            ff: count("TRELLIS_FF"),
            bram: count("DP16KD"),
            dsp: count("MULT18X18D"),
            carry: count("CCU2C"),
            lut_ram: count("TRELLIS_DPR16X4"),
        })
    }

    /// Look-up tables of all uses, as the device counts them.
    pub fn all_luts(&self) -> u64 {
        // A RAM takes four tables for its words and two for its write port.
        self.lut4 + 2 * self.carry + 6 * self.lut_ram
    }
}

/// How fast a placed and routed design is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// The fastest clock, in MHz.
    pub fmax_mhz: f64,
    /// The slowest path's registers and logic, by the names of modules and signals, start first.
    pub critical_path: Vec<String>,
}

impl Timing {
    /// Reads what nextpnr's `--report` wrote; of several clocks, the one whose path is the slowest.
    pub(super) fn parse(report: &str) -> Option<Self> {
        let report: Value = serde_json::from_str(report).ok()?;
        let achieved = |clock: &Value| clock.get("achieved").and_then(Value::as_f64);
        let (clock, fmax) = report
            .get("fmax")?
            .as_object()?
            .iter()
            .filter_map(|(name, clock)| Some((name, achieved(clock)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let within = |path: &&Value| {
            ["from", "to"]
                .iter()
                .all(|end| path[end].as_str().is_some_and(|text| text.ends_with(clock.as_str())))
        };
        let paths = report.get("critical_paths")?.as_array()?;
        let steps = paths.iter().find(within).and_then(|path| path.get("path")?.as_array());
        let mut critical_path: Vec<String> = Vec::new();
        for step in steps.into_iter().flatten() {
            for end in ["from", "to"] {
                let Some(cell) = step.pointer(&format!("/{end}/cell")).and_then(Value::as_str) else {
                    continue;
                };
                let name = signal_of(cell);
                if critical_path.last() != Some(&name) {
                    critical_path.push(name);
                }
            }
        }
        Some(Self { fmax_mhz: (fmax * 100.0).round() / 100.0, critical_path })
    }
}

/// The signal that a cell of the netlist makes: yosys names cells after signals and appends what they became.
fn signal_of(cell: &str) -> String {
    const KINDS: [&str; 9] = [
        "_LUT4",
        "_TRELLIS_FF",
        "_CCU2C",
        "_DP16KD",
        "_MULT18X18D",
        "_TRELLIS_DPR16X4",
        "_PFUMX",
        "_L6MUX21",
        "$",
    ];
    let end = KINDS.iter().filter_map(|kind| cell.find(kind)).filter(|&at| at > 0).min();
    let name = end.map_or(cell, |end| &cell[..end]);
    name.trim_end_matches(['.', '_']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_is_read_from_the_cells() {
        let stat = r#"{"design": {"num_cells_by_type": {"LUT4": 100, "CCU2C": 10, "TRELLIS_FF": 7,
                       "DP16KD": 3, "TRELLIS_DPR16X4": 2}}}"#;
        let area = Area::parse(stat).unwrap();
        assert_eq!(area, Area { lut4: 100, ff: 7, bram: 3, dsp: 0, carry: 10, lut_ram: 2 });
        assert_eq!(area.all_luts(), 132);
        assert_eq!(Area::parse("{}"), None);
        assert_eq!(Area::parse("not JSON"), None);
    }

    #[test]
    fn the_slowest_clock_and_its_path_are_named() {
        let step =
            |from: &str, to: &str| format!(r#"{{"from": {{"cell": "{from}"}}, "to": {{"cell": "{to}"}}}}"#);
        let steps = [
            step("lsu.access.valid_TRELLIS_FF_Q", "lsu.access.valid_TRELLIS_FF_Q"),
            step("lsu.access.valid_TRELLIS_FF_Q", "lsu.pass.bank_LUT4_Z_3"),
            step("lsu.pass.bank_LUT4_Z_3", "lsu.pass.bank_LUT4_Z"),
            step("lsu.pass.bank_LUT4_Z", "$nextpnr_CCU2C_1"),
        ];
        let report = format!(
            r#"{{"fmax": {{"fast": {{"achieved": 90.0}}, "clock": {{"achieved": 44.123}}}},
                 "critical_paths": [{{"from": "posedge fast", "to": "posedge fast", "path": []}},
                                    {{"from": "posedge clock", "to": "posedge clock", "path": [{}]}}]}}"#,
            steps.join(",")
        );
        let timing = Timing::parse(&report).unwrap();
        assert_eq!(timing.fmax_mhz, 44.12);
        assert_eq!(timing.critical_path, ["lsu.access.valid", "lsu.pass.bank", "$nextpnr"]);
        assert_eq!(Timing::parse(r#"{"fmax": {}, "critical_paths": []}"#), None);
    }
}
