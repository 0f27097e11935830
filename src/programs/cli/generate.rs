//! The program `gen`: writes the Verilog of the core that the options describe.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::json;

use super::{check_directory, describe, header, print, start, ConfigArgs};
use hdl::verilog::{CORE_FILE, FILE_LIST};
use spec::config::{CoreConfig, PRESETS};
use spec::registry::{self, PolicyInfo, Stage};

/// Generates a RISC-V SIMT core as Verilog, one file a module, with the list of the files in heddle.f.
#[derive(Parser)]
#[command(name = "gen", version, after_help = EXAMPLES)]
struct Cli {
    /// Directory to write to; created if it is not there
    #[arg(long, value_name = "DIR", default_value = "rtl_out")]
    out: PathBuf,
    /// What the name of every module begins with, for several cores in one design: a letter, then letters, digits and _
    #[arg(long, value_name = "NAME", value_parser = prefix)]
    prefix: Option<String>,
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
  gen --prefix a_ --out a                    modules a_heddle, a_Alu, .., beside those of another core
  gen --list                                 what --sched and --preset may be";

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    start(|args: &Cli| if args.list { list(args.json) } else { generate(args) })
}

/// Checks `--prefix`.
fn prefix(text: &str) -> Result<String, String> {
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| text.to_owned()).ok_or_else(|| "a letter, then letters, digits and _ are needed".into())
}

fn generate(cli: &Cli) -> Result<()> {
    let start = Instant::now();
    let cfg = cli.core.resolve()?;
    let mut comment = header(&cfg);
    if let Some(prefix) = &cli.prefix {
        comment[1] += &format!(" --prefix {prefix}");
    }
    let design = rtl::generate(&cfg, &comment)?;
    let design = match &cli.prefix {
        Some(prefix) => design.prefixed(prefix),
        None => design,
    };
    let files = design.files();
    let all: Vec<_> = files.iter().map(String::as_str).chain([FILE_LIST, CORE_FILE]).collect();
    check_directory(&cli.out, &all, cli.core.config_path().as_slice())?;
    design.write(&cli.out).context("cannot write the Verilog")?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let bytes = design.bytes();

    if cli.json {
        let files: Vec<_> = files.iter().map(|file| cli.out.join(file)).collect();
        let milliseconds = (milliseconds * 1e3).round() / 1e3;
        let report = json!({
            "top": design.top, "files": files, "bytes": bytes, "milliseconds": milliseconds, "config": cfg,
        });
        return print(format_args!("{report}\n"));
    }
    let (top, core, count, out) = (design.top, describe(&cfg), files.len(), cli.out.display());
    print(format_args!("{top}: {core}\n{count} files, {bytes} bytes in {out} ({milliseconds:.1} ms)\n"))
}

fn list(json: bool) -> Result<()> {
    let presets = PRESETS.iter().map(|p| (p, CoreConfig::preset(p.name)));
    if json {
        let policies: Vec<_> = registry::all()
            .map(|p| json!({"key": p.key, "stages": stages(p), "options": options(p), "summary": p.summary, "source": p.source}))
            .collect();
        let presets: Vec<_> =
            presets.map(|(p, cfg)| json!({"name": p.name, "summary": p.summary, "config": cfg})).collect();
        return print(format_args!("{}\n", json!({"schedulers": policies, "presets": presets})));
    }
    let mut text = "Warp schedulers, and the options that take them:\n".to_owned();
    for p in registry::all() {
        text += &format!("  {:<12} {:<26} {}\n", p.key, options(p).join(", "), p.summary);
        text += &format!("  {:<12} {:<26} source: {}\n", "", "", p.source);
    }
    text += "\nPresets (--preset):\n";
    for (p, _) in presets {
        text += &format!("  {:<12} {}\n", p.name, p.summary);
    }
    print(text)
}

fn stages(policy: &PolicyInfo) -> Vec<&'static str> {
    let name = |stage: &Stage| match stage {
        Stage::Fetch => "fetch",
        Stage::Issue => "issue",
    };
    policy.stages.iter().map(name).collect()
}

/// The options that a policy may be the value of: `--sched` takes those that issue, and alone the unified scheduler.
fn options(policy: &PolicyInfo) -> Vec<&'static str> {
    let unified = policy.inside.is_some();
    let of_stage = |stage: Stage| !unified && policy.stages.contains(&stage);
    let (fetches, issues) = (of_stage(Stage::Fetch), of_stage(Stage::Issue));
    let options = [("--sched", issues || unified), ("--fetch", fetches), ("--issue", issues)];
    options.into_iter().filter(|(_, takes)| *takes).map(|(option, _)| option).collect()
}
