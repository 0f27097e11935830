//! Generates the Verilog of a core.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::json;

use heddle::cli::{self, ConfigArgs};
use heddle::config::{CoreConfig, PRESETS};
use heddle::registry::{Stage, POLICIES, UNIFIED};
use heddle::rtl;

/// Generates a RISC-V SIMT core as Verilog, one file a module, with the list of the files in heddle.f.
#[derive(Parser)]
#[command(name = "gen", version, after_help = EXAMPLES)]
struct Cli {
    /// Directory to write to; created if it is not there
    #[arg(long, value_name = "DIR", default_value = "rtl_out")]
    out: PathBuf,
    /// List the warp schedulers and the presets, and generate nothing
    #[arg(long)]
    list: bool,
    /// One JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    // Last, because the heading of its options would hold for those after it too.
    #[command(flatten)]
    core: ConfigArgs,
}

const EXAMPLES: &str = "\
Examples:
  gen                                        the 4 x 4 default into rtl_out/
  gen --preset large --out build/large       16 warps x 16 lanes
  gen --warps 6 --threads 8 --sched fixed    a core of your own
  gen --config core.toml --no-trace-port     from a file, without the verification port
  gen --list                                 what --sched and --preset may be";

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli::finish(if cli.list { list(cli.json) } else { generate(&cli) })
}

fn generate(cli: &Cli) -> Result<()> {
    let start = Instant::now();
    let cfg = cli.core.resolve()?;
    let design = rtl::generate(&cfg, &cli::header(&cfg))?;
    design.write(&cli.out).context("cannot write the Verilog")?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let (files, bytes) = (design.files(), design.bytes());

    if cli.json {
        let files: Vec<_> = files.iter().map(|file| cli.out.join(file)).collect();
        let milliseconds = (milliseconds * 1e3).round() / 1e3;
        let report = json!({
            "top": design.top, "files": files, "bytes": bytes, "milliseconds": milliseconds, "config": cfg,
        });
        println!("{report}");
    } else {
        println!("{}: {}", design.top, cli::describe(&cfg));
        println!("{} files, {bytes} bytes in {} ({milliseconds:.1} ms)", files.len(), cli.out.display());
    }
    Ok(())
}

fn list(json: bool) -> Result<()> {
    let presets = PRESETS.iter().map(|p| (p, CoreConfig::preset(p.name)));
    if json {
        let policies: Vec<_> = POLICIES
            .iter()
            .chain(UNIFIED)
            .map(|p| json!({"key": p.key, "stages": stages(p.stages), "summary": p.summary, "source": p.source}))
            .collect();
        let presets: Vec<_> =
            presets.map(|(p, cfg)| json!({"name": p.name, "summary": p.summary, "config": cfg})).collect();
        println!("{}", json!({"schedulers": policies, "presets": presets}));
        return Ok(());
    }
    println!("Warp schedulers (--sched, --fetch, --issue):");
    for p in POLICIES.iter().chain(UNIFIED) {
        println!("  {:<16} {:<13} {}", p.key, stages(p.stages).join(", "), p.summary);
        println!("  {:<16} {:<13} source: {}", "", "", p.source);
    }
    println!("\nPresets (--preset):");
    for (p, _) in presets {
        println!("  {:<16} {}", p.name, p.summary);
    }
    Ok(())
}

fn stages(stages: &[Stage]) -> Vec<&'static str> {
    let name = |stage: &Stage| match stage {
        Stage::Fetch => "fetch",
        Stage::Issue => "issue",
    };
    stages.iter().map(name).collect()
}
