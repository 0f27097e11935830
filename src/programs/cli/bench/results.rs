//! The tables of documents: each says which commands measure it, at which commit they did, and whether the hardware has
//! changed since.

mod block;
mod hardware;
mod pick;

use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use anyhow::{ensure, Context};

use super::Args;
use crate::cli::{complain, print, UsageError};
use block::{Block, Document, Made};
use files::read_at_most;
use hardware::Fingerprints;

/// More than any document has.
const MOST_BYTES: u64 = 16 << 20;

/// Measures what is missing or older than the hardware; with `--plan` it says what that is, with `--mark` it only writes
/// it under the tables. A table is written when it is measured: a call that is interrupted goes on where it was.
///
/// # Errors
/// A document that cannot be read or written, or has a table without an end; a command that fails; with `--plan` tables
/// that say the wrong thing.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut documents = args.results.iter().map(|path| read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut fingerprints = Fingerprints::default();
    let (mut wrong, mut marked) = (0, 0);
    for document in &mut documents {
        for number in 0..document.blocks.len() {
            let block = &mut document.blocks[number];
            if !is_chosen(args, block) {
                continue;
            }
            let hardware = fingerprints.of(block).map_err(|why| block.fault(&document.path, &why))?;
            if args.plan {
                let says = block.stamp == block.right_stamp(&hardware);
                wrong += usize::from(!says);
                print(line(&document.path, block, &hardware, says))?;
                continue;
            }
            if block.is_by_hand() && block.made.is_none() {
                block.made = Some(Made { commit: commit()?, hardware: hardware.clone() });
            }
            let right = block.right_stamp(&hardware);
            marked += usize::from(block.stamp != right);
            block.stamp = right;
        }
        if !args.plan {
            write(document)?;
        }
    }
    ensure!(
        wrong == 0,
        "{wrong} tables are older than the hardware and do not say so: `cargo run --bin bench -- --results {} --mark` \
         writes it, scripts/results.sh measures them",
        args.results.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
    );
    if args.mark {
        print(format_args!("notes changed under tables: {marked}\n"))?;
    }
    if args.plan || args.mark {
        return Ok(());
    }
    // Several tables may come of one command.
    let mut outputs = BTreeMap::new();
    for document in &mut documents {
        for number in 0..document.blocks.len() {
            let block = &document.blocks[number];
            let hardware = fingerprints.of(block)?;
            if block.is_by_hand() || block.is_of(&hardware) || !is_chosen(args, block) {
                continue;
            }
            let commit = commit()?;
            let lines = measure(block, &mut outputs)?;
            let block = &mut document.blocks[number];
            block.body = lines;
            block.made = Some(Made { commit, hardware: hardware.clone() });
            block.stamp = block.right_stamp(&hardware);
            write(document)?;
            print(format!("{}: {}\n", document.path.display(), document.blocks[number].title))?;
        }
    }
    Ok(())
}

fn is_chosen(args: &Args, block: &Block) -> bool {
    args.wants(&block.title) || block.commands.iter().any(|command| args.wants(&command.text))
}

/// What `--plan` prints of a table.
fn line(path: &Path, block: &Block, hardware: &str, says: bool) -> String {
    let state = match &block.made {
        None => "not measured",
        Some(_) if block.is_of(hardware) => "up to date",
        Some(_) => "older than the hardware",
    };
    let wrong = if says { "" } else { ", and does not say so" };
    format!("{}:{}: {}: {state}{wrong}\n", path.display(), block.line, block.title)
}

fn read(path: &Path) -> anyhow::Result<Document> {
    let unread = |why: &dyn std::fmt::Display| UsageError(format!("{}: {why}", path.display()));
    let bytes = read_at_most(path, MOST_BYTES).map_err(|why| unread(&why))?;
    let text = String::from_utf8(bytes).map_err(|why| unread(&why))?;
    Ok(Document::parse(path, &text)?)
}

fn write(document: &Document) -> anyhow::Result<()> {
    let text = document.text();
    if fs::read_to_string(&document.path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    files::publish(&document.path, |scratch| fs::write(scratch, &text))
        .with_context(|| format!("cannot write {}", document.path.display()))
}

/// The rows of the table, from what its commands print.
fn measure(block: &Block, outputs: &mut BTreeMap<String, String>) -> anyhow::Result<Vec<String>> {
    let mut printed = vec![];
    for command in &block.commands {
        if !outputs.contains_key(&command.text) {
            complain(format_args!("{}\n", command.text));
            outputs.insert(command.text.clone(), output(&command.words)?);
        }
        printed.push((command.label.as_deref(), outputs[&command.text].clone()));
    }
    pick::table(&block.title, &printed).with_context(|| format!("table {}", block.title))
}

/// What a command of this package prints, which lies beside this program.
fn output(words: &[String]) -> anyhow::Result<String> {
    let (program, arguments) = words.split_first().context("no command")?;
    let own = std::env::current_exe().context("cannot tell where this program lies")?;
    let path = own.with_file_name(format!("{program}{EXE_SUFFIX}"));
    let markdown = (program == "bench").then_some("--markdown");
    let child = Process::new(&path).args(arguments).args(markdown).stderr(Stdio::inherit()).output();
    let child = child.with_context(|| {
        format!("cannot start {}: build all programs, `cargo build --release --bins`", path.display())
    })?;
    ensure!(child.status.success(), "`{}` failed: {}", words.join(" "), child.status);
    Ok(String::from_utf8(child.stdout)?)
}

/// The commit that figures are of.
fn commit() -> anyhow::Result<String> {
    let git = |arguments: &[&str]| -> anyhow::Result<String> {
        let output = Process::new("git").args(arguments).output().context("cannot start git")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "git {}: {}", arguments.join(" "), said.trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no", "--", ":/src", ":/sim", ":/Cargo.lock"])?;
    ensure!(
        changed.is_empty(),
        "a figure is of a commit, and these files differ from it: commit them\n{changed}"
    );
    git(&["rev-parse", "--short=7", "HEAD"])
}
