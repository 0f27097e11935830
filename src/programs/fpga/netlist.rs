//! A synthesised design as Verilog that a simulator can run.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::error::FlowError;
use super::flow::{at, read, step, synthesis, synthesis_key, write, DESIGN};
use super::tools::{run, Tools};

/// Yosys' models of the cells, below its own directory, as its versions name them: the first is that of 0.23.
const MODELS: [&str; 2] = ["+/ecp5/cells_sim.v", "+/lattice/cells_sim_ecp5.v"];

/// Synthesises `verilog` for the ECP5 and gives the netlist of module `top` together with yosys' models of the cells in it,
/// unless the cache has them. Block RAMs and multipliers have no models for simulation: there are LUT RAMs and logic in
/// their place, so this is for designs with small memories.
///
/// # Errors
/// See [`FlowError`].
pub fn netlist_verilog(tools: &Tools, verilog: &str, top: &str) -> Result<String, FlowError> {
    let synthesis = synthesis(&format!("-nobram -nodsp -top {top}"));
    let key = synthesis_key(tools, &synthesis, verilog)?;
    let directory = step(&format!("netlist-{key}"), &["netlist.v", "cells.v"], |directory| {
        write(&directory.join(DESIGN), verilog)?;
        let script = format!("{synthesis}; write_verilog -noattr netlist.v");
        run(tools.yosys().args(["-q", "-p", &script]), Some(directory))?;
        let netlist = read(&directory.join("netlist.v"))?;
        write(&directory.join("cells.v"), &used_models(&models(tools)?, &netlist))?;
        for input in [DESIGN, "netlist.json"] {
            let input = directory.join(input);
            fs::remove_file(&input).map_err(at(&input))?;
        }
        Ok(())
    })?;
    Ok(read(&directory.join("netlist.v"))? + &read(&directory.join("cells.v"))?)
}

/// The text of the models.
fn models(tools: &Tools) -> Result<String, FlowError> {
    // Only yosys knows where its files are; it says so as it reads one.
    let parsed = |models: &str| run(tools.yosys().args(["-p", &format!("read_verilog -lib {models}")]), None);
    let [usual, newer] = MODELS;
    let said = parsed(usual).or_else(|error| parsed(newer).map_err(|_| error))?;
    read(&models_path(&said).ok_or_else(|| FlowError::Report(usual.into()))?)
}

/// The file that yosys says it parses.
fn models_path(said: &str) -> Option<PathBuf> {
    let (_, rest) = said.split_once("Parsing Verilog input from `")?;
    Some(rest.split_once('\'')?.0.into())
}

/// Those modules of `models` that are instantiated in `netlist`, or in one of them.
fn used_models(models: &str, netlist: &str) -> String {
    let modules: Vec<(&str, &str)> = models
        .split("\nmodule ")
        .skip(1)
        .filter_map(|text| {
            let name = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
            Some((name, text.split_once("\nendmodule")?.0)).filter(|(name, _)| !name.is_empty())
        })
        .collect();
    let mut used = BTreeSet::new();
    let mut open = vec![netlist];
    while let Some(text) = open.pop() {
        for (name, body) in &modules {
            // A cell's kind begins a line, and its name or parameters follow.
            let instantiates =
                |line: &str| line.trim_start().strip_prefix(name).is_some_and(|r| r.starts_with(' '));
            if !used.contains(name) && text.lines().any(instantiates) {
                used.insert(*name);
                open.push(body);
            }
        }
    }
    let of_use = modules.iter().filter(|(name, _)| used.contains(name));
    of_use.map(|(_, body)| format!("\nmodule {body}\nendmodule\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_taken_as_they_are_used() {
        let models =
            "// x\nmodule A(input a);\n  B b(a);\nendmodule\n\n(* box *)\nmodule B(input a);\nendmodule\n\
                      module C(input a);\nendmodule\n";
        let text = used_models(models, "module top(a);\n  A #(\n    .X(1)\n  ) CC (a);\nendmodule\n");
        assert!(text.contains("module A(") && text.contains("module B("), "{text}");
        assert!(!text.contains("module C("), "{text}");
        let said =
            "1. Executing\nParsing Verilog input from `/usr/bin/../share/yosys/ecp5/cells_sim.v' to AST";
        assert_eq!(models_path(said), Some("/usr/bin/../share/yosys/ecp5/cells_sim.v".into()));
    }
}
