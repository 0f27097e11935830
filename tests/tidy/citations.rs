//! What the sources and the documents cite is here, and links lead somewhere.

use std::path::{Path, PathBuf};

use super::{files, none, read, root};

/// The documents for readers.
fn documents() -> Vec<PathBuf> {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from);
    let more = ["docs", "sim", "fpga"].into_iter().flat_map(files);
    top.into_iter().chain(more.filter(|path| path.extension().is_some_and(|e| e == "md"))).collect()
}

/// Every file in which a document may be cited.
fn sources() -> Vec<PathBuf> {
    let below = ["src", "tests", "scripts", "sim", "fpga"].into_iter().flat_map(files);
    let text = |path: &PathBuf| std::fs::read_to_string(root().join(path)).is_ok();
    let mut all: Vec<_> = below.filter(text).collect();
    all.extend(documents());
    all.sort();
    all.dedup();
    all
}

/// The text as one line, without what begins a line of a comment.
fn joined(text: &str) -> String {
    let bare = |line: &str| line.trim_start().trim_start_matches(['/', '!', '#', '*']).trim().to_owned();
    text.lines().map(bare).collect::<Vec<_>>().join(" ")
}

/// The headings of a document.
fn headings(document: &Path) -> Vec<String> {
    let heading = |line: &str| line.starts_with('#').then(|| line.trim_start_matches('#').trim().to_owned());
    read(document).lines().filter_map(heading).collect()
}

/// Readers of the repository have nothing else: what the sources cite is in it, or has been published.
#[test]
fn nothing_is_cited_that_is_not_here() {
    let elsewhere = [
        ["VORTEX", "_ABI"],
        ["DESIGN", " section"],
        ["DESIGN", ".md"],
        ["RUST", "_HDL.md"],
        ["/work/", "shared"],
    ];
    let bare = ["SCHED", "ULERS"].concat();
    let mut found = Vec::new();
    for path in sources() {
        for (number, line) in read(&path).lines().enumerate() {
            let outside = elsewhere.iter().any(|word| line.contains(&word.concat()));
            let is_bare = line.split(&bare).skip(1).any(|rest| !rest.starts_with(".md"));
            if outside || is_bare {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    none(&found, "cite docs/SCHEDULERS.md and docs/ISA.md, with their sections");
}

/// `docs/X.md, section N` and `X.md, "Heading"` name what is there; inside a document, `section N` is its own.
#[test]
fn every_section_that_is_cited_exists() {
    let mut found = Vec::new();
    let numbers = |rest: &str| {
        let words = rest
            .split_whitespace()
            .map(|word| word.trim_end_matches([',', '.', ';', ':', ')', '*', '"', '`']));
        let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        let numbers = words.take_while(|word| is_number(word) || *word == "and").filter(is_number);
        numbers.map(str::to_owned).collect::<Vec<_>>()
    };
    for path in sources().into_iter().filter(|path| path != Path::new("tests/tidy/citations.rs")) {
        let text = joined(&read(&path));
        let own = path.starts_with("docs").then(|| path.clone());
        for word in ["section ", "sections "] {
            for (at, _) in text.match_indices(word) {
                let before = text[..at].strip_suffix(".md, ");
                let cited = before.map(|before| before.rsplit([' ', '(', '[', '`']).next().unwrap_or(""));
                let document = match cited {
                    Some(name) if name.starts_with("docs/") => Some(PathBuf::from(format!("{name}.md"))),
                    Some(_) => None,
                    None => own.clone(),
                };
                let Some(document) = document else { continue };
                let present = root().join(&document).exists();
                for number in numbers(&text[at + word.len()..]) {
                    let is = |heading: &String| {
                        heading.split(' ').next().map(|n| n.trim_end_matches('.')) == Some(&number)
                    };
                    if !present || !headings(&document).iter().any(is) {
                        found.push(format!("{}: {}, section {number}", path.display(), document.display()));
                    }
                }
            }
        }
        for (at, _) in text.match_indices(".md, \"") {
            let name = text[..at].rsplit([' ', '(', '[', '`', '/']).next().unwrap_or("");
            let heading = text[at + 6..].split('"').next().unwrap_or("");
            let document = ["", "docs/"].map(|place| PathBuf::from(format!("{place}{name}.md")));
            let document = document.iter().find(|document| root().join(document).exists());
            if !document.is_some_and(|document| headings(document).iter().any(|h| h == heading)) {
                found.push(format!("{}: {name}.md, \"{heading}\"", path.display()));
            }
        }
    }
    none(&found, "cited, and not there");
}

/// Links inside the repository lead somewhere, to the heading too.
#[test]
fn every_link_leads_somewhere() {
    let anchor = |heading: &String| {
        let kept = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>();
        kept.replace(' ', "-")
    };
    let mut found = Vec::new();
    for path in documents() {
        let text = read(&path);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("http")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            let reached = root().join(&file).exists();
            if !reached || !heading.is_empty() && !headings(&file).iter().any(|h| anchor(h) == heading) {
                found.push(format!("{}: {target}", path.display()));
            }
        }
    }
    none(&found, "these links lead nowhere");
}
