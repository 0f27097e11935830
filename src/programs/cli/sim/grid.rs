//! The options of `sim` for grids, and what they and the kernels of the list launch.

use clap::Args;
use serde::Serialize;

use super::job::Job;
use crate::cli::UsageError;
use cosim::RunOptions;
use model::GridLaunch;
use spec::config::CoreConfig;

/// The symbol whose value is what `SIMT_SHARED` variables take, in bytes (`sim/kernels/runtime/grid.ld`).
const SHARED_BYTES: &str = "__simt_shared_bytes";

/// What is launched in place of a bare start.
#[derive(Args, Debug, Default)]
pub(super) struct GridArgs {
    /// Run the files as a grid of so many blocks along x, y and z; no more than one length: along x
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = parse_lengths, requires = "block", help_heading = "Grids")]
    grid: Option<[u32; 3]>,
    /// Threads of a block along x, y and z
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = parse_lengths, requires = "grid", help_heading = "Grids")]
    block: Option<[u32; 3]>,
    /// Bytes of local memory that each block gets for itself, a multiple of 4; with 0 all blocks share the core's [default:
    /// those of its SIMT_SHARED variables]
    #[arg(long, value_name = "BYTES", requires = "grid", help_heading = "Grids")]
    cta_local: Option<u32>,
    /// Start at a symbol of the program instead of at its entry point, as a grid or not
    #[arg(long, value_name = "SYMBOL", conflicts_with = "start_pc", help_heading = "Grids")]
    entry: Option<String>,
}

impl GridArgs {
    /// The options of a job's run, complete with where it starts and what is launched.
    ///
    /// # Errors
    /// Options that do not go with the program, a symbol that it does not have, a grid that the core cannot run.
    pub(super) fn complete(
        &self,
        job: &Job,
        cfg: &CoreConfig,
        options: RunOptions,
    ) -> Result<RunOptions, UsageError> {
        let name = &job.name;
        if let (true, Some(why)) = (self.grid.is_some() || self.entry.is_some(), job.fixed_start()) {
            let rule = "--grid, --block, --cta-local and --entry are for executables and for C files with SIMT_KERNEL";
            return Err(UsageError(format!("{name} {why}; {rule}")));
        }
        let own = if self.grid.is_some() { Ok(vec![]) } else { job.launches(cfg) };
        let own = own.map_err(UsageError::from_error)?;
        if !own.is_empty() && (options.start_pc.is_some() || options.start_arg != 0) {
            let rule = "says itself where its grids start, and with what: leave out --start-pc and --arg";
            return Err(UsageError(format!("{name} {rule}")));
        }
        let start_pc = match &self.entry {
            None => options.start_pc,
            Some(symbol) => {
                let address = job.program.symbols.get(symbol).copied();
                Some(address.ok_or_else(|| UsageError(format!("{name} has no symbol {symbol}")))?)
            }
        };
        let shared = job.program.symbols.get(SHARED_BYTES);
        let asked = self.grid.zip(self.block).map(|(grid, block)| GridLaunch {
            entry: start_pc.unwrap_or(job.program.entry),
            arg: options.start_arg,
            grid,
            block,
            local_bytes: self.cta_local.or(shared.copied()).unwrap_or(0),
        });
        if let Some(Err(error)) = asked.as_ref().map(|launch| launch.check(cfg)) {
            return Err(UsageError(format!("{name}: {error}")));
        }
        Ok(RunOptions { start_pc, launches: asked.map_or(own, |launch| vec![launch]), ..options })
    }
}

/// One to three lengths; those that are left out are 1.
fn parse_lengths(text: &str) -> Result<[u32; 3], String> {
    let mut lengths = [1; 3];
    let given: Vec<&str> = text.split(',').collect();
    if given.len() > lengths.len() {
        return Err("at most three lengths".into());
    }
    for (length, text) in lengths.iter_mut().zip(given) {
        *length = text.parse().map_err(|_| "expected lengths, as in 12 or 4,4 or 2,2,2")?;
    }
    Ok(lengths)
}

/// A launch, as `--json` shows it.
#[derive(Serialize)]
pub(in crate::cli) struct LaunchRecord {
    entry: String,
    arg: u32,
    grid: [u32; 3],
    block: [u32; 3],
    local_bytes: u32,
}

impl From<&GridLaunch> for LaunchRecord {
    fn from(launch: &GridLaunch) -> Self {
        let GridLaunch { entry, arg, grid, block, local_bytes } = *launch;
        Self { entry: format!("{entry:#010x}"), arg, grid, block, local_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::parse_lengths;

    #[test]
    fn lengths() {
        assert_eq!(parse_lengths("7"), Ok([7, 1, 1]));
        assert_eq!(parse_lengths("4,3"), Ok([4, 3, 1]));
        assert_eq!(parse_lengths("4,0,2"), Ok([4, 0, 2]));
        for wrong in ["", "4,", "-1", "4,x", "4 4", "4294967296", "1,1,1,1"] {
            assert!(parse_lengths(wrong).is_err(), "{wrong}");
        }
    }
}
