//! The options that choose a core, the same for every program.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::Args;

use super::UsageError;
use spec::config::{BusKind, CacheConfig, CoreConfig, DataCacheConfig, Violation, PRESETS};
use spec::registry::{self, Stage};

mod file;
mod values;

pub use file::ConfigFile;
pub(super) use values::parse_size;
use values::{parse_cache, parse_data_cache, parse_switch};
pub use values::{CacheArg, DataCacheArg};

/// The core to generate or simulate. A preset is the base, a file changes it, options have the last word.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "Core")]
pub struct ConfigArgs {
    /// Configuration to start from [default: small]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    pub preset: Option<String>,
    /// Warps resident on the core, 1 to 64
    #[arg(long, value_name = "N")]
    pub warps: Option<usize>,
    /// Lanes in a warp, a power of two up to 32
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Issue slices, each with a warp scheduler of its own: 1, 2 or 4
    #[arg(long, value_name = "N")]
    pub slices: Option<usize>,
    /// Warp scheduler of both stages; a policy for issue alone is paired with lrr at fetch, mwf-lrr and mwf-gto with cff
    #[arg(long, value_name = "KEY", conflicts_with_all = ["fetch", "issue"],
          value_parser = PossibleValuesParser::new(sched_keys()))]
    pub sched: Option<String>,
    /// Warp scheduler of the fetch stage
    #[arg(long, value_name = "KEY", value_parser = PossibleValuesParser::new(registry::keys(Stage::Fetch)))]
    pub fetch: Option<String>,
    /// Warp scheduler of the issue stage
    #[arg(long, value_name = "KEY", value_parser = PossibleValuesParser::new(registry::keys(Stage::Issue)))]
    pub issue: Option<String>,
    /// Whether ipaws, before it goes over to round-robin, lets the warps behind catch up [default: on]
    #[arg(long, value_name = "off|on", value_parser = parse_switch)]
    pub ipaws_recover: Option<bool>,
    /// Whether kaws, once the last thread block is dispatched, goes by the blocks' progress [default: on]
    #[arg(long, value_name = "off|on", value_parser = parse_switch)]
    pub kaws_kernel_aware: Option<bool>,
    /// Whether a warp may issue through another slice, under any policy [default: on with kaws and 2 slices or more]
    #[arg(long, value_name = "off|on", value_parser = parse_switch)]
    pub kaws_sharing: Option<bool>,
    /// Entries in each warp's instruction queue: 2, 4 or 8
    #[arg(long, value_name = "N")]
    pub queue: Option<usize>,
    /// Instruction cache of each slice: capacity in bytes (K for 1024) and, after a colon, ways; for example 16K:2
    #[arg(long, value_name = "SIZE[:WAYS]", value_parser = parse_cache)]
    pub icache: Option<CacheArg>,
    /// Local memory in bytes (K for 1024)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub local_mem: Option<usize>,
    /// Data cache: capacity in bytes, ways, and wb for write-back; for example 16K:2:wb
    #[arg(long, value_name = "SIZE[:WAYS[:wb]]", value_parser = parse_data_cache, conflicts_with = "no_dcache")]
    pub dcache: Option<DataCacheArg>,
    /// No data cache: loads and stores go to the bus
    #[arg(long)]
    pub no_dcache: bool,
    /// Banks of the data cache, which divide its capacity, each with a path of its own from the lanes and back, for as many lines a cycle: 1, 2 or 4
    #[arg(long, value_name = "N")]
    pub cache_banks: Option<usize>,
    /// Lines that a bank of the data cache may have asked memory for at once, 1 to 16, and 32 in all banks
    #[arg(long, value_name = "N")]
    pub mshrs: Option<usize>,
    /// Line requests of loads that may be under way to a bank of the data cache, 1 to 16
    #[arg(long, value_name = "N")]
    pub load_slots: Option<usize>,
    /// Banks of a slice's registers, which operand collectors read in turn: 2, 4 or 8; 0 for a copy of the registers for each operand
    #[arg(long, value_name = "N")]
    pub register_banks: Option<usize>,
    /// Operand collectors of a slice for each class of instructions, 1 to 4; with --register-banks
    #[arg(long, value_name = "N")]
    pub collectors: Option<usize>,
    /// Bits of a quotient that the divider finds in a cycle: 1, 2 or 4
    #[arg(long, value_name = "N")]
    pub div_bits: Option<usize>,
    /// Let every division take as long as one of 32 bits, whatever its operands
    #[arg(long)]
    pub div_fixed: bool,
    /// Static branch prediction: behind a branch that goes back fetching goes on at its target; not under swas or with --oracle
    #[arg(long)]
    pub btfn: bool,
    /// Have a floating-point unit: the instructions and registers of F
    #[arg(long, overrides_with = "no_fpu")]
    pub fpu: bool,
    /// Leave the floating-point unit out
    #[arg(long)]
    pub no_fpu: bool,
    /// Lanes that convert, divide or take a root at a time: a power of two up to the threads (all unless given)
    #[arg(long, value_name = "N", conflicts_with = "no_fpu")]
    pub fpu_slow_lanes: Option<usize>,
    /// Bus to memory: native (64-byte lines) or axi4
    #[arg(long, value_name = "BUS")]
    pub bus: Option<BusKind>,
    /// Width of the AXI4 data channels in bits: 32, 64, 128, 256 or 512
    #[arg(long, value_name = "BITS")]
    pub axi_data_bits: Option<usize>,
    /// Leave out the dispatcher of thread blocks: the core then runs no grids
    #[arg(long)]
    pub no_grid: bool,
    /// Count how often the issue scheduler departs from its policy (discrepancies, errors)
    #[arg(long)]
    pub oracle: bool,
    /// Leave out the performance counters; their CSRs then read 0
    #[arg(long)]
    pub no_counters: bool,
    /// Leave out the trace port, which only the lock-step check needs
    #[arg(long)]
    pub no_trace_port: bool,
    /// TOML file with any of the configuration's fields, and of those of its tables icache and dcache
    #[arg(long, value_name = "FILE.toml", value_parser = PathBufValueParser::new().try_map(ConfigFile::read))]
    pub config: Option<ConfigFile>,
}

/// The value of `--sched` that leaves open which policy is inside the unified scheduler.
pub(super) const SWAS: &str = "swas";

/// What `--sched` may be: what may issue.
pub(super) fn sched_keys() -> impl Iterator<Item = &'static str> {
    registry::keys(Stage::Issue).into_iter().chain([SWAS]).chain(registry::unified().map(|p| p.key))
}

impl ConfigArgs {
    /// The path of `--config`.
    pub fn config_path(&self) -> Option<PathBuf> {
        self.config.as_ref().map(|file| file.path.clone())
    }

    /// The validated configuration.
    ///
    /// # Errors
    /// A file that cannot be read or is no configuration, every rule that the result breaks, or every option that the
    /// rest leaves without effect.
    pub fn resolve(&self) -> Result<CoreConfig, UsageError> {
        self.resolve_on(CoreConfig::default())
    }

    /// The same of a core that is `base` where neither a preset nor anything else says more.
    ///
    /// # Errors
    /// As [`ConfigArgs::resolve`].
    pub(in crate::cli) fn resolve_on(&self, base: CoreConfig) -> Result<CoreConfig, UsageError> {
        let mut cfg = match &self.preset {
            Some(name) => CoreConfig::preset(name).ok_or_else(|| {
                UsageError(format!("unknown preset {name}; valid ones are {}", preset_names()))
            })?,
            None => base,
        };
        if let Some(file) = &self.config {
            cfg = file.over(&cfg).map_err(|why| UsageError(format!("{}: {why}", file.path.display())))?;
        }
        self.apply(&mut cfg);
        cfg.validate().map_err(|violations| UsageError(describe(&violations)))?;
        match self.without_effect(&cfg).as_slice() {
            [] => Ok(cfg),
            in_vain => Err(UsageError(in_vain.join("\n"))),
        }
    }

    /// What was asked for in vain: whoever gives such an option thinks of another core. What a preset or a file says
    /// beside that is no mistake.
    fn without_effect(&self, cfg: &CoreConfig) -> Vec<String> {
        let native = cfg.bus != BusKind::Axi4;
        let uncached = cfg.dcache.bytes == 0;
        let options = [
            (self.axi_data_bits.is_some(), native, "--axi-data-bits", "with the native bus", "--bus axi4"),
            (
                self.fpu_slow_lanes.is_some(),
                !cfg.fpu,
                "--fpu-slow-lanes",
                "without floating-point unit",
                "--fpu",
            ),
            (
                self.collectors.is_some(),
                !cfg.collects(),
                "--collectors",
                "where all operands are read at once",
                "--register-banks 4",
            ),
            (self.cache_banks.is_some(), uncached, "--cache-banks", "without data cache", "--dcache SIZE"),
            (self.mshrs.is_some(), uncached, "--mshrs", "without data cache", "--dcache SIZE"),
            (
                self.ipaws_recover.is_some(),
                cfg.issue != "ipaws",
                "--ipaws-recover",
                "with another issue policy",
                "--issue ipaws",
            ),
            (
                self.kaws_kernel_aware.is_some(),
                cfg.issue != "kaws",
                "--kaws-kernel-aware",
                "with another issue policy",
                "--issue kaws",
            ),
        ];
        let in_vain = options.iter().filter(|(said, in_vain, ..)| *said && *in_vain);
        let line = |option: &str, core: &str, other: &str| {
            format!("{option} has no effect on a core {core}: leave it out, or give {other}")
        };
        in_vain.map(|(_, _, option, core, other)| line(option, core, other)).collect()
    }

    fn apply(&self, cfg: &mut CoreConfig) {
        let set = |field: &mut usize, value: Option<usize>| *field = value.unwrap_or(*field);
        set(&mut cfg.warps, self.warps);
        set(&mut cfg.threads, self.threads);
        set(&mut cfg.slices, self.slices);
        set(&mut cfg.queue_depth, self.queue);
        set(&mut cfg.local_mem_bytes, self.local_mem);
        set(&mut cfg.load_slots, self.load_slots);
        set(&mut cfg.register_banks, self.register_banks);
        set(&mut cfg.collectors, self.collectors);
        set(&mut cfg.div_bits, self.div_bits);
        set(&mut cfg.fpu_slow_lanes, self.fpu_slow_lanes);
        set(&mut cfg.cache_banks, self.cache_banks);
        set(&mut cfg.mshrs, self.mshrs);
        if let Some(DataCacheArg { cache: CacheArg { bytes, ways }, write_back }) = self.dcache {
            let ways = ways.unwrap_or(cfg.dcache.ways);
            let write_back = write_back || cfg.dcache.write_back;
            cfg.dcache = DataCacheConfig { bytes, ways, write_back };
        }
        if self.no_dcache {
            cfg.dcache.bytes = 0;
        }
        set(&mut cfg.axi_data_bits, self.axi_data_bits);
        cfg.bus = self.bus.unwrap_or(cfg.bus);
        if let Some(CacheArg { bytes, ways }) = self.icache {
            cfg.icache = CacheConfig { bytes, ways: ways.unwrap_or(cfg.icache.ways) };
        }
        if let Some(key) = &self.sched {
            let key = if key == SWAS { registry::SWAS_DEFAULT } else { key };
            cfg.fetch = registry::at_fetch(key).into();
            cfg.issue = key.into();
        }
        let set_key = |field: &mut String, key: &Option<String>| {
            if let Some(key) = key {
                field.clone_from(key);
            }
        };
        set_key(&mut cfg.fetch, &self.fetch);
        set_key(&mut cfg.issue, &self.issue);
        cfg.ipaws_recover = self.ipaws_recover.unwrap_or(cfg.ipaws_recover);
        cfg.kaws_kernel_aware = self.kaws_kernel_aware.unwrap_or(cfg.kaws_kernel_aware);
        cfg.kaws_sharing = self.kaws_sharing.or(cfg.kaws_sharing);
        cfg.fpu = (cfg.fpu || self.fpu) && !self.no_fpu;
        cfg.grid &= !self.no_grid;
        cfg.div_fixed |= self.div_fixed;
        cfg.btfn |= self.btfn;
        cfg.oracle |= self.oracle;
        cfg.counters &= !self.no_counters;
        cfg.trace_port &= !self.no_trace_port;
    }
}

fn describe(violations: &[Violation]) -> String {
    let lines: Vec<_> = violations.iter().map(|v| format!("\n  {v}")).collect();
    format!("this core cannot be built:{}", lines.concat())
}

fn preset_names() -> String {
    let names: Vec<_> = PRESETS.iter().map(|p| p.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
