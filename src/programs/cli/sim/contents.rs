//! What `sim` puts into memory before a run, and what it keeps of memory after it.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::views::Label;
use crate::cli::UsageError;
use crate::report::write_file;
use cosim::Report;
use files::read_at_most;
use loader::{Program, MAX_BYTES};

/// Files of memory's contents.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Memory")]
pub(super) struct ContentArgs {
    /// Put the bytes of a file there before the program starts; may be given several times
    #[arg(long, value_name = "ADDRESS=FILE", value_parser = parse_load)]
    load: Vec<Load>,
    /// Write so many bytes of memory from there into a file, as the run leaves them; may be given several times
    #[arg(long, value_name = "ADDRESS:BYTES=FILE", value_parser = parse_dump)]
    dump: Vec<Dump>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Load {
    address: u32,
    file: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Dump {
    address: u32,
    bytes: u32,
    file: PathBuf,
}

impl ContentArgs {
    /// Files that are read.
    pub(super) fn inputs(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.load.iter().map(|load| load.file.clone())
    }

    /// Files that one program's run writes.
    pub(super) fn outputs<'a>(&'a self, label: &'a Label) -> impl Iterator<Item = PathBuf> + 'a {
        self.dump.iter().map(|dump| label.file(&dump.file))
    }

    /// Has the files loaded beside the program.
    ///
    /// # Errors
    /// A file that cannot be read, or goes where no program may be, or where something is already.
    pub(super) fn load(&self, program: &mut Program) -> Result<(), UsageError> {
        for Load { address, file } in &self.load {
            let cannot = |why: String| UsageError(format!("--load {address:#x}={}: {why}", file.display()));
            let bytes = read_at_most(file, MAX_BYTES).map_err(|error| cannot(error.to_string()))?;
            program.add_contents(*address, bytes).map_err(|error| cannot(error.to_string()))?;
        }
        Ok(())
    }

    /// Writes what is asked for of the memory that a run left.
    ///
    /// # Errors
    /// Memory that is not there, a file that cannot be written.
    pub(super) fn write(&self, report: &Report, label: &Label) -> anyhow::Result<()> {
        for Dump { address, bytes, file } in &self.dump {
            let file = label.file(file);
            let contents = report.memory.read_bytes(*address, *bytes).map_err(|unmapped| {
                let rule = "only the program's segments, what is behind them, the heap and the stacks are (docs/ISA.md, section 6)";
                anyhow::anyhow!("nothing of {address:#x} is written to {}: {unmapped}; {rule}", file.display())
            })?;
            write_file(&file, &contents).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }
}

/// `ADDRESS=FILE`.
fn parse_load(text: &str) -> Result<Load, String> {
    let (address, file) = parse_file(text, "ADDRESS=FILE, as in 0x20000=input.bin")?;
    Ok(Load { address: parse_word(address)?, file })
}

/// `ADDRESS:BYTES=FILE`.
fn parse_dump(text: &str) -> Result<Dump, String> {
    let form = "ADDRESS:BYTES=FILE, as in 0x20000:4096=output.bin";
    let (place, file) = parse_file(text, form)?;
    let (address, bytes) = place.split_once(':').ok_or_else(|| format!("expected {form}"))?;
    let (address, bytes) = (parse_word(address)?, parse_word(bytes)?);
    if address.checked_add(bytes.max(1) - 1).is_none() {
        return Err("it ends behind the last address".into());
    }
    Ok(Dump { address, bytes, file })
}

/// What stands before the first `=`, and the file behind it.
fn parse_file<'a>(text: &'a str, form: &str) -> Result<(&'a str, PathBuf), String> {
    match text.split_once('=') {
        Some((place, file)) if !file.is_empty() => Ok((place, file.into())),
        _ => Err(format!("expected {form}")),
    }
}

/// A number of 32 bits, decimal or 0x..
pub(super) fn parse_word(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "expected a 32-bit number, as in 4096 or 0x1000".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_files() {
        let load = Load { address: 0x2_0000, file: "a=b".into() };
        assert_eq!(parse_load("0x20000=a=b"), Ok(load));
        let dump = Dump { address: 64, bytes: 16, file: "out".into() };
        assert_eq!(parse_dump("64:0x10=out"), Ok(dump));
        for wrong in ["", "64", "64=", "x=y"] {
            assert!(parse_load(wrong).is_err(), "{wrong}");
        }
        for wrong in ["64=out", "64:=out", ":4=out", "0xffffffff:2=out", "64:4="] {
            assert!(parse_dump(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words() {
        assert_eq!(parse_word("0xffffffff"), Ok(u32::MAX));
        assert_eq!(parse_word("12"), Ok(12));
        assert!(parse_word("0x100000000").is_err() && parse_word("-1").is_err() && parse_word("").is_err());
    }
}
