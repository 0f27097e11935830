//! The documents' tables of the core: its parameters and its ports.

use rtl::generate;
use spec::config::{CoreConfig, Range, PARAMETERS};
use std::collections::BTreeMap;

use super::tables::cells;
use super::{none, read};

/// Every parameter has a row with its options, its field, the numbers that it may be and its default.
#[test]
fn the_table_of_parameters_is_that_of_the_data_sheet() {
    let text = read("docs/COMMANDS.md");
    let rows: Vec<_> = text.lines().map(cells).filter(|cells| cells.len() == 6).collect();
    let mut wrong = vec![];
    let core = CoreConfig::default();
    for parameter in PARAMETERS {
        let names_field = |cells: &&Vec<&str>| {
            [format!("`{}`", parameter.name), format!("`{}.", parameter.name)]
                .iter()
                .any(|name| cells[1].contains(name))
        };
        let options = |cells: &&Vec<&str>| {
            parameter.options.iter().all(|spelling| cells[0].contains(&format!("`{}", spelling.option)))
        };
        let Some(row) = rows.iter().filter(names_field).find(options) else {
            wrong.push(format!("{}: no row", parameter.name));
            continue;
        };
        let numbers: Vec<String> = match parameter.range {
            Range::Any => vec![],
            Range::OneOf(numbers) => numbers.iter().map(usize::to_string).collect(),
            Range::Between(least, most) | Range::PowerOfTwo(least, most) => {
                vec![least.to_string(), most.to_string()]
            }
        };
        let words: Vec<_> = row[2].split([' ', ',', ';']).collect();
        let missing: Vec<_> = numbers.iter().filter(|number| !words.contains(&number.as_str())).collect();
        if !missing.is_empty() {
            wrong.push(format!("{}: {missing:?} not among {}", parameter.name, row[2]));
        }
        // None where other parameters decide.
        let default = parameter.text(&core);
        let said = row[3].split(',').next().unwrap_or_default().trim_matches('`');
        if !default.is_empty() && parameter.set(&core, said).as_ref() != Ok(&core) {
            wrong.push(format!("{}: {said} for the default {default}", parameter.name));
        }
    }
    none(&wrong, "the table of parameters in docs/COMMANDS.md");
}

/// Ports of the core have the direction and the width that docs/ISA.md says, where it says a number.
#[test]
fn the_tables_of_the_cores_ports_are_those_of_the_verilog() {
    let design = generate(&CoreConfig::default(), &[]).expect("the default core");
    let top = &design.modules.last().expect("a module").text;
    let declared: BTreeMap<&str, (&str, usize)> = top.lines().filter_map(declaration).collect();
    let text = read("docs/ISA.md");
    let ports = |cells: &Vec<&str>| cells.len() == 4 && ["in", "out"].contains(&cells[1]);
    let (mut wrong, mut compared) = (vec![], 0);
    for row in text.lines().map(cells).filter(ports) {
        let bits = row[2].trim_end_matches(" each").split(" x ").map(str::parse::<usize>);
        let Ok(bits) = bits.product::<Result<usize, _>>() else { continue };
        // `launch_grid_x`, `_y`, `_z`: others end otherwise.
        let mut names: Vec<String> = vec![];
        for name in row[0].split(", ").map(|name| name.trim_matches('`')) {
            let of_first = names.first().filter(|_| name.starts_with('_'));
            let stem = of_first.and_then(|first| first.rsplit_once('_')).map_or("", |(stem, _)| stem);
            names.push(format!("{stem}{name}"));
        }
        for name in names {
            compared += 1;
            let found = declared.get(name.as_str());
            if found != Some(&(row[1], bits)) {
                wrong.push(format!("{name}: {} of {bits} bits, in the Verilog {found:?}", row[1]));
            }
        }
    }
    assert!(compared > 25, "{compared} ports");
    none(&wrong, "the tables of ports in docs/ISA.md");
}

/// Name, direction and width of the port that a line of Verilog declares.
fn declaration(line: &str) -> Option<(&str, (&str, usize))> {
    let declared = line.split("//").next()?.trim().trim_end_matches(',');
    let direction = ["in", "out"].into_iter().find(|way| declared.starts_with(&format!("{way}put ")))?;
    let high = declared.split_once('[').and_then(|(_, rest)| rest.split_once(':'));
    let width = high.map_or(Some(1), |(high, _)| high.parse::<usize>().ok().map(|high| high + 1))?;
    Some((declared.rsplit(' ').next()?, (direction, width)))
}
