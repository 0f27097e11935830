//! The table of areas and clocks.

use std::fs;

use anyhow::Context;

use super::{progress, Args};
use crate::files::publish;
use crate::fpga::table::{candidates, csv, markdown, measure};
use crate::fpga::{Tools, BOARDS};

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let tools = Tools::discover();
    let all = candidates();
    let count = all.len();
    let mut rows = Vec::new();
    for (number, candidate) in all.iter().enumerate() {
        let what = format!("{} of {count}: {}", number + 1, candidate.name);
        let board = (args.place && candidate.usual).then_some(&BOARDS[0]);
        let whole = candidate.usual || !args.quick;
        rows.push(progress(what, || measure(&tools, candidate, whole, board))?);
    }
    publish(&args.csv, |scratch| fs::write(scratch, csv(&rows)))
        .with_context(|| format!("cannot write {}", args.csv.display()))?;
    print!("{}", markdown(&rows));
    Ok(())
}
