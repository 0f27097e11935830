//! Lists of ports and declarations, in columns.
use super::ir::{Role, Signal};
use super::module::Module;
use super::wrap::{filled, LONGEST};

/// Attribute by which yosys decodes a dynamic index on the left-hand side instead of shifting masks.
pub(super) const DECODED: &str = "(* nowrshmsk *) ";
/// What is said beside the attribute.
const DECODED_WHY: &str = "// written at an index: decoded by yosys, instead of by a shifted mask";
/// Fewest columns for what is said beside a port, however long its name.
const NARROWEST: usize = 40;

/// `[7:0]`, or nothing for one bit.
pub(super) fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0]", width - 1)
    }
}

/// Lines of columns, padded so that the last column starts at one place.
pub(super) fn table(rows: Vec<(String, String, String)>, indent: &str, end: &str) -> String {
    let bare = |kind: &str| kind.strip_prefix(DECODED).map_or(kind.to_owned(), str::to_owned);
    let first = rows.iter().map(|row| bare(&row.0).len()).max().unwrap_or(0);
    let second = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let gap = if second > 0 { " " } else { "" };
    let lines = rows.into_iter().map(|(a, b, c)| {
        let attribute = match a.starts_with(DECODED) {
            true => format!("{indent}{}{DECODED_WHY}\n", DECODED),
            false => String::new(),
        };
        let a = bare(&a);
        format!("{attribute}{indent}{a:first$} {b:second$}{gap}{c}{end}\n")
    });
    lines.collect()
}

/// A sentence of a doc comment without its links: what they name stays.
pub(super) fn plain(text: &str) -> String {
    let mut pieces = text.split("[`");
    let mut said = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("`]").unwrap_or((piece, ""));
        let target = rest.strip_prefix('(').and_then(|target| target.split_once(')'));
        said.extend(["`", name, "`", target.map_or(rest, |(_, rest)| rest)]);
    }
    said
}

/// Whether a line has the attribute of the declaration below it.
fn is_attribute(line: &str) -> bool {
    line.trim_start().starts_with("(*")
}

/// The columns that the declarations take.
fn columns(text: &str) -> usize {
    text.lines().filter(|line| !is_attribute(line)).map(str::len).max().unwrap_or(0)
}

/// A declaration with what it is beside it, in as many lines as that takes.
fn beside(line: &str, width: usize, description: &str) -> String {
    let lines = filled(&plain(description), LONGEST.saturating_sub(width + 4).max(NARROWEST));
    format!("{line:width$} // {}\n", lines.join(&format!("\n{:width$} // ", "")))
}

/// Lines of declarations, each beside what it is, if there is something to be said.
pub(super) fn described(text: &str, descriptions: &[Option<&str>]) -> String {
    let width = columns(text);
    let mut descriptions = descriptions.iter().copied();
    let line = |line: &str| {
        let description = if is_attribute(line) { None } else { descriptions.next().flatten() };
        match description {
            // A constant's value may leave no room.
            Some(text) if width > LONGEST - NARROWEST => format!("  // {}\n{line}\n", plain(text)),
            Some(text) => beside(line, width, text),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// Whether a bundle is the other, or a part of it.
fn is_inside(bundle: &str, other: &str) -> bool {
    bundle.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The port list of `module`, from `(` to `);`: bundles under what they are, each port beside what it is.
pub(super) fn ports(module: &Module) -> String {
    let is_port = |signal: &Signal| matches!(signal.role, Role::Input | Role::Output);
    let signals: Vec<_> =
        module.scope.signals.iter().enumerate().filter(|(_, signal)| is_port(signal)).collect();
    if signals.is_empty() {
        return ";\n".into();
    }
    let rows = signals.iter().enumerate().map(|(at, (id, signal))| {
        let kind = match signal.role {
            Role::Input => "input wire",
            _ if module.variables.contains(id) => "output reg",
            _ => "output wire",
        };
        let attribute = if module.written.contains(id) { DECODED } else { "" };
        let end = if at + 1 == signals.len() { "" } else { "," };
        (format!("{attribute}{kind}"), range(signal.total()), format!("{}{end}", signal.name))
    });
    let text = table(rows.collect(), "  ", "");
    let width = columns(&text);
    let mut list = " (\n".to_owned();
    let mut remarks = signals.iter().map(|(_, signal)| signal);
    let mut attribute = None;
    let mut before: &str = "";
    for line in text.lines() {
        if is_attribute(line) {
            attribute = Some(line);
            continue;
        }
        let signal = remarks.next();
        let bundle = signal.and_then(|signal| signal.path.rsplit_once('.')).map_or("", |(bundle, _)| bundle);
        if !before.is_empty() && !is_inside(bundle, before) {
            list.push('\n');
        }
        before = bundle;
        for line in signal.and_then(|signal| signal.group.as_ref()).iter().flat_map(|group| group.lines()) {
            list += &format!("  // {}\n", plain(line));
        }
        list.extend(attribute.take().map(|line| format!("{line}\n")));
        match signal.and_then(|signal| signal.description.as_ref()) {
            Some(description) => list += &beside(line, width, description),
            None => list += &format!("{line}\n"),
        }
    }
    list + ");\n"
}
