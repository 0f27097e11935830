//! What an experiment measures, and how it is printed.

use serde::Serialize;

use super::peer::DIVIDERS;
use super::Format;
use crate::report::{self, grouped};

/// What a number means, and which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Unit {
    /// Cycles of a whole program in the manner of the peer's.
    #[serde(rename = "cycles in the peer's manner")]
    Alike,
    /// Cycles of a whole program.
    #[serde(rename = "cycles")]
    Cycles,
    /// Cycles of a program that is a grid, as Vortex 3.0 starts it.
    #[serde(rename = "cycles of a grid")]
    Grid,
    /// Cycles from an operation to the next one.
    #[serde(rename = "cycles an operation")]
    Latency,
    /// Operations of warps that issue in a cycle.
    #[serde(rename = "operations a cycle")]
    Throughput,
}

/// One measured number, beside the peer's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    /// The program or operation.
    pub name: String,
    /// Warps and lanes, and the slices if there are several.
    pub shape: String,
    pub unit: Unit,
    pub heddle: f64,
    pub peer: Option<f64>,
    /// The peer's with the slow divider that it synthesises.
    pub serial: Option<f64>,
}

/// A figure as `--json` shows it.
#[derive(Serialize)]
struct Line<'a> {
    figure: &'a str,
    shape: &'a str,
    unit: Unit,
    heddle: f64,
    vortex: Option<f64>,
    vortex_serial_divider: Option<f64>,
    /// How many times faster this core is.
    times_faster: Option<f64>,
}

impl Figure {
    /// How many times faster than the peer.
    fn times_faster(&self) -> Option<f64> {
        let peer = self.peer?;
        Some(match self.unit {
            Unit::Alike | Unit::Cycles | Unit::Grid | Unit::Latency => peer / self.heddle,
            Unit::Throughput => self.heddle / peer,
        })
    }

    fn number(&self, value: f64) -> String {
        match self.unit {
            Unit::Alike | Unit::Cycles | Unit::Grid => grouped(value as u64),
            Unit::Latency => format!("{value:.1}"),
            Unit::Throughput => format!("{value:.2}"),
        }
    }
}

/// All figures as one text.
pub(super) fn print(figures: &[Figure], format: Format) -> serde_json::Result<String> {
    match format {
        Format::Json => figures.iter().map(json).collect(),
        Format::Table | Format::Csv => Ok(table(figures)),
        Format::Markdown => Ok(markdown(figures)),
    }
}

fn json(figure: &Figure) -> serde_json::Result<String> {
    let rounded = |value: f64| (value * 1e3).round() / 1e3;
    let line = Line {
        figure: &figure.name,
        shape: &figure.shape,
        unit: figure.unit,
        heddle: figure.heddle,
        vortex: figure.peer,
        vortex_serial_divider: figure.serial,
        times_faster: figure.times_faster().map(rounded),
    };
    Ok(serde_json::to_string(&line)? + "\n")
}

fn table(figures: &[Figure]) -> String {
    let width = figures.iter().map(|f| f.name.len()).chain([6]).max().unwrap_or(0);
    let mut text =
        format!("{:<width$}  {:>6}  {:>12}  {:>12}  {:>8}\n", "figure", "core", "heddle", "vortex", "faster");
    for figure in figures {
        let peer = figure.peer.map_or_else(|| "-".into(), |peer| figure.number(peer));
        let faster = figure.times_faster().map_or_else(|| "-".into(), |times| format!("{times:.2} x"));
        text += &format!(
            "{:<width$}  {:>6}  {:>12}  {peer:>12}  {faster:>8}\n",
            figure.name,
            figure.shape,
            figure.number(figure.heddle)
        );
    }
    text
}

/// A table for each unit: a row a program, a column a core, the peer's number in parentheses.
fn markdown(figures: &[Figure]) -> String {
    let alike = format!("program in Vortex's manner, cycles (Vortex {DIVIDERS})");
    let units = [
        (Unit::Alike, alike.as_str()),
        (Unit::Cycles, "kernel, cycles"),
        (Unit::Grid, "grid, cycles (Vortex 3.0)"),
        (Unit::Latency, "one warp alone, cycles an operation"),
        (Unit::Throughput, "all warps, operations a cycle"),
    ];
    let tables = units.iter().filter_map(|&(unit, title)| {
        let of_unit: Vec<&Figure> = figures.iter().filter(|f| f.unit == unit).collect();
        (!of_unit.is_empty()).then(|| markdown_table(title, &of_unit))
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn markdown_table(title: &str, figures: &[&Figure]) -> String {
    let shapes = distinct(figures.iter().map(|f| f.shape.as_str()));
    let columns: Vec<_> = [title].into_iter().chain(shapes.iter().copied()).map(String::from).collect();
    let row = |name: &str| {
        let cells = shapes.iter().map(|&shape| {
            let figure = figures.iter().find(|f| f.name == name && f.shape == shape);
            figure.map_or_else(String::new, |figure| {
                let peers: Vec<_> = [figure.peer, figure.serial]
                    .into_iter()
                    .flatten()
                    .map(|peer| figure.number(peer))
                    .collect();
                let peer = (!peers.is_empty()).then(|| format!(" ({})", peers.join("; ")));
                figure.number(figure.heddle) + &peer.unwrap_or_default()
            })
        });
        [name.to_owned()].into_iter().chain(cells).collect()
    };
    let mut rows: Vec<Vec<String>> =
        distinct(figures.iter().map(|f| f.name.as_str())).into_iter().map(row).collect();
    if figures.iter().any(|figure| figure.unit == Unit::Grid) {
        rows.push(parts(figures, &shapes));
    }
    report::markdown(&columns, &rows)
}

/// What part of the peer's cycles each shape takes, in the geometric mean.
fn parts(figures: &[&Figure], shapes: &[&str]) -> Vec<String> {
    let part = |shape: &&str| {
        let of_shape = figures.iter().filter(|figure| figure.shape == **shape);
        let faster: Vec<f64> = of_shape.filter_map(|figure| figure.times_faster()).collect();
        geometric_mean(&faster).map_or_else(String::new, |mean| format!("{:.3}", 1.0 / mean))
    };
    let title = "part of Vortex's cycles, geometric mean".to_owned();
    [title].into_iter().chain(shapes.iter().map(part)).collect()
}

/// Each text once, in the order of first appearance.
pub(super) fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for text in texts {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}

/// The geometric mean of positive numbers; none of no numbers.
pub(super) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (!values.is_empty()).then(|| (values.iter().map(|value| value.ln()).sum::<f64>() / count).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Vec<Figure> {
        let figure = |name: &str, shape: &str, unit, heddle, peer| Figure {
            name: name.into(),
            shape: shape.into(),
            unit,
            heddle,
            peer,
            serial: (unit == Unit::Alike).then_some(183_619.0),
        };
        vec![
            figure("vecadd:1024", "4x4", Unit::Cycles, 10_000.0, Some(25_000.0)),
            figure("vecadd:1024", "8x8", Unit::Cycles, 999.0, None),
            figure("sum", "4x4", Unit::Alike, 100_000.0, Some(130_000.0)),
            figure("ALU", "4x4", Unit::Throughput, 0.99, Some(0.55)),
            figure("grid_a", "4x4", Unit::Grid, 100.0, Some(200.0)),
            figure("grid_b", "4x4", Unit::Grid, 100.0, Some(50.0)),
            figure("grid_c", "4x4", Unit::Grid, 100.0, Some(800.0)),
        ]
    }

    #[test]
    fn better_is_more_in_every_unit() {
        let faster: Vec<_> = figures().iter().map(Figure::times_faster).collect();
        assert_eq!(faster, [Some(2.5), None, Some(1.3), Some(0.99 / 0.55), Some(2.0), Some(0.5), Some(8.0)]);
    }

    #[test]
    fn markdown_has_a_table_a_unit() {
        let text = print(&figures(), Format::Markdown).unwrap();
        assert_eq!(
            text,
            "| program in Vortex's manner, cycles (Vortex with the simulation's divider: 4 cycles, pipelined; and with the \
             serial one) | 4x4 |\n|---|---|\n| sum | 100,000 (130,000; 183,619) |\n\n\
             | kernel, cycles | 4x4 | 8x8 |\n|---|---|---|\n| vecadd:1024 | 10,000 (25,000) | 999 |\n\n\
             | grid, cycles (Vortex 3.0) | 4x4 |\n|---|---|\n| grid_a | 100 (200) |\n| grid_b | 100 (50) |\n\
             | grid_c | 100 (800) |\n| part of Vortex's cycles, geometric mean | 0.500 |\n\n\
             | all warps, operations a cycle | 4x4 |\n|---|---|\n| ALU | 0.99 (0.55) |\n"
        );
    }

    #[test]
    fn json_and_table_have_a_line_a_figure() {
        let json = print(&figures(), Format::Json).unwrap();
        let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert_eq!((&first["figure"], &first["times_faster"]), (&"vecadd:1024".into(), &2.5.into()));
        assert_eq!(json.lines().count(), 7);
        assert_eq!(print(&figures(), Format::Table).unwrap().lines().count(), 8);
    }

    #[test]
    fn means_are_geometric() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
        assert!((geometric_mean(&[0.5, 2.0, 1.0]).unwrap() - 1.0).abs() < 1e-12);
    }
}
