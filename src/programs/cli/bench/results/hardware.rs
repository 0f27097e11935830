//! Tells hardware from other hardware: by its Verilog without comments.

use std::collections::{BTreeMap, HashMap};

use anyhow::{bail, Context};
use clap::{Args as _, Command, FromArgMatches};
use crc32fast::Hasher;

use super::block::Block;
use crate::cli::bench::{self, sweep};
use crate::cli::{fpga, ConfigArgs};
use spec::config::CoreConfig;
use tools::parallel::{in_parallel, processors};

/// The fingerprints of cores that were asked for, by their configurations.
#[derive(Default)]
pub(super) struct Fingerprints(HashMap<String, u32>);

impl Fingerprints {
    /// Of all cores that a table is of.
    ///
    /// # Errors
    /// A command that would fail.
    pub(super) fn of(&mut self, block: &Block) -> anyhow::Result<String> {
        let mut all = vec![];
        for command in &block.commands {
            for cfg in cores(&command.words)? {
                all.push((serde_json::to_string(&cfg)?, cfg));
            }
        }
        let unknown = all.iter().filter(|(fields, _)| !self.0.contains_key(fields));
        let each_once: BTreeMap<_, _> = unknown.map(|(fields, cfg)| (fields, cfg)).collect();
        let each_once: Vec<_> = each_once.into_iter().collect();
        let found = in_parallel(processors(), &each_once, |_, (_, cfg)| of_core(cfg))?;
        self.0.extend(each_once.into_iter().map(|(fields, _)| fields.clone()).zip(found));
        let mut hasher = Hasher::new();
        all.iter().for_each(|(fields, _)| hasher.update(&self.0[fields].to_le_bytes()));
        Ok(format!("{:08x}", hasher.finalize()))
    }
}

/// Of one core.
fn of_core(cfg: &CoreConfig) -> anyhow::Result<u32> {
    let mut hasher = Hasher::new();
    for module in rtl::generate(cfg, &[])?.modules {
        let lines = module.text.lines().map(|line| line.split("//").next().unwrap_or("").trim());
        lines.filter(|line| !line.is_empty()).for_each(|line| hasher.update(line.as_bytes()));
    }
    Ok(hasher.finalize())
}

/// The cores that a command measures.
fn cores(words: &[String]) -> anyhow::Result<Vec<CoreConfig>> {
    match words[0].as_str() {
        "bench" => {
            let args = bench::Args::from_arg_matches(&sweep::command().try_get_matches_from(words)?)?;
            bench::cores(&args)
        }
        "fpga" => fpga::cores(words),
        "gen" => {
            let matches = ConfigArgs::augment_args(Command::new("gen")).try_get_matches_from(words)?;
            Ok(vec![ConfigArgs::from_arg_matches(&matches)?.resolve()?])
        }
        other => bail!(
            "no program {other}: tables are made by bench and fpga, and of those by hand gen names the cores"
        ),
    }
    .with_context(|| format!("`{}`", words.join(" ")))
}
