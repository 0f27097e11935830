//! What slow tools have said, kept beside the simulators: the same tool says the same of the same text.
//!
//! An entry holds all that was asked, to the letter, with the tools' versions, and counts for nothing else. Of a tool that
//! fails nothing is kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cosim::verilator::{self, Toolchain};
use files::default_cache_dir;
use files::{is_whole, publish, seal};

/// Bytes of entries that are kept; what was written first goes first.
const LIMIT: u64 = 64 << 20;

/// What ends the question and begins the answer.
const END: &str = "\0answer\0";

/// The answer to `question`, known or worked out.
pub fn answer(question: &[&str], work: impl FnOnce() -> Result<String, String>) -> Result<String, String> {
    answer_in(&default_cache_dir().map_err(|e| e.to_string())?.join("answers"), question, work)
}

fn answer_in(
    directory: &Path,
    question: &[&str],
    work: impl FnOnce() -> Result<String, String>,
) -> Result<String, String> {
    let question: String =
        question.iter().map(|part| format!("{} {part}\n", part.len())).collect::<String>() + END;
    let path = directory.join(format!("{:08x}-{}", crc32fast::hash(question.as_bytes()), question.len()));
    let known = || {
        let content = is_whole(&path)
            .then(|| fs::read(&path).ok())?
            .and_then(|c| String::from_utf8(unsealed(c)).ok())?;
        content.strip_prefix(&question).map(str::to_owned)
    };
    if let Some(known) = known() {
        return Ok(known);
    }
    let answer = work()?;
    // Without a cache there is nothing to gain, and nothing to fail by.
    let _ = fs::create_dir_all(directory).and_then(|()| trim(directory)).and_then(|()| {
        publish(&path, |scratch| fs::write(scratch, question.clone() + &answer).and_then(|()| seal(scratch)))
    });
    Ok(answer)
}

/// What was sealed.
fn unsealed(mut content: Vec<u8>) -> Vec<u8> {
    const SEAL: usize = 20;
    content.truncate(content.len().saturating_sub(SEAL));
    content
}

fn trim(directory: &Path) -> std::io::Result<()> {
    let entries = fs::read_dir(directory)?.filter_map(|entry| {
        let path = entry.ok()?.path();
        let meta = path.metadata().ok()?;
        Some((meta.modified().ok()?, meta.len(), path))
    });
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    let mut held: u64 = entries.iter().map(|entry| entry.1).sum();
    for (_, bytes, path) in entries {
        if held > LIMIT && fs::remove_file(path).is_ok() {
            held -= bytes;
        }
    }
    Ok(())
}

/// What a program says of its version.
pub fn version(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}; scripts/setup.sh installs it"));
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// [`verilator::lint`], of each text once.
pub fn lint(tools: &Toolchain, verilog: &str, top: &str) -> Result<(), String> {
    let question = ["lint", tools.identity(), verilator::WAIVERS, top, verilog];
    answer(&question, || {
        verilator::lint(tools, verilog, top).map(|()| String::new()).map_err(|e| e.to_string())
    })
    .map(drop)
}

#[test]
fn answers_are_known_of_the_same_question_alone() {
    let directory = tempfile::tempdir().unwrap();
    let ask =
        |question: &[&str], fresh: &str| answer_in(directory.path(), question, || Ok(fresh.into())).unwrap();
    assert_eq!(ask(&["ab", "c"], "first"), "first");
    assert_eq!(ask(&["ab", "c"], "second"), "first");
    assert_eq!(ask(&["a", "bc"], "other"), "other");
    assert_eq!(answer_in(directory.path(), &["fails"], || Err("why".into())), Err("why".into()));
    assert_eq!(ask(&["fails"], "now"), "now", "a failure is not kept");
    // Another question under the same name, and damage.
    let text = |path: &PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let of = |part: &str| {
        let paths = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path());
        paths.into_iter().find(|path| text(path).contains(part)).unwrap()
    };
    fs::copy(of("fails"), of("2 ab\n")).unwrap();
    assert_eq!(ask(&["ab", "c"], "third"), "third");
    let damaged = fs::read(of("fails")).unwrap().into_iter().rev().skip(1).collect::<Vec<_>>();
    fs::write(of("fails"), damaged.into_iter().rev().collect::<Vec<_>>()).unwrap();
    assert_eq!(ask(&["fails"], "again"), "again");
}
