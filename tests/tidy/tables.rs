//! The documents' tables: they say what the sources say.

use isa::counter::COUNTERS;
use isa::csr::{Write, CSRS};
use isa::ISA;
use model::memory as map;
use model::Cause;
use rtl::generate;
use spec::config::CoreConfig;
use spec::registry::{self, Stage, POLICIES};
use spec::scheduler_inputs;
use std::collections::{BTreeMap, HashSet};

use super::{none, read};

/// The cells of a row of a table; none if the line is no row.
pub(super) fn cells(line: &str) -> Vec<&str> {
    let row = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
    // A cell without text has one space between its bars.
    row.map_or(Vec::new(), |row| row.split(" |").map(str::trim).collect())
}

/// The cells of the row of `name`, quoted, in a document.
fn row<'a>(text: &'a str, document: &str, name: &str) -> Vec<&'a str> {
    let quoted = format!("`{name}`");
    let found = text.lines().map(cells).find(|cells| cells.first() == Some(&quoted.as_str()));
    found.unwrap_or_else(|| panic!("{document} has no row of {name}"))
}

/// The section of a document under a heading that begins with `number`.
fn section(document: &str, number: &str) -> String {
    let text = read(document);
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("## {number}. ")));
    lines.next().unwrap_or_else(|| panic!("{document} has no section {number}"));
    lines.take_while(|line| !line.starts_with("## ")).fold(String::new(), |text, line| text + line + "\n")
}

/// The rows of the table at the head of docs/SCHEDULERS.md.
fn policies(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let head =
        text.lines().skip_while(|line| !line.starts_with("| policy |")).take_while(|line| !line.is_empty());
    head.filter(|line| line.starts_with("| `")).map(cells)
}

/// What the table at the head says of a policy is what the registry says; a policy that has no row is defined in its doc
/// comments alone.
#[test]
fn the_table_of_policies_is_the_registry() {
    let text = read("docs/SCHEDULERS.md");
    let mut keys = vec![];
    for row in policies(&text) {
        let policy =
            registry::find(row[0].trim_matches('`')).unwrap_or_else(|| panic!("{} is no policy", row[0]));
        keys.push(policy.key);
        let stage = |stage: &Stage| if *stage == Stage::Fetch { "fetch" } else { "issue" };
        let stages: Vec<_> = policy.stages.iter().map(stage).collect();
        assert_eq!((row[1].to_owned(), row[3]), (stages.join(", "), policy.source), "{}", policy.key);
    }
    assert_eq!(without_row(&keys), Vec::<&str>::new(), "policies without a row in docs/SCHEDULERS.md");
}

/// Policies of the registry that are not among these.
fn without_row(keys: &[&str]) -> Vec<&'static str> {
    registry::all().map(|policy| policy.key).filter(|key| !keys.contains(key)).collect()
}

/// A row at the head is no definition: the section that it names speaks of the policy.
#[test]
fn every_policy_is_defined() {
    let text = read("docs/SCHEDULERS.md");
    for row in policies(&text) {
        let place = row[2].trim_start_matches(|c: char| !c.is_ascii_digit());
        let number = place.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let key = row[0].replace("swas:", "");
        let section = section("docs/SCHEDULERS.md", number);
        // Or all of it is its definition, after the paper of that name.
        let of_paper = format!("source: {} ", key.trim_matches('`'));
        let is_of_it = section.contains(&key) || section.to_lowercase().contains(&of_paper);
        assert!(is_of_it, "{key}: section {number}");
    }
}

/// The lists of policies that may be inside SWaS, and that may have oracles.
#[test]
fn the_lists_of_section_3_are_the_registrys() {
    let text = section("docs/SCHEDULERS.md", "3");
    let listed = |begin: &str, end: &str| -> Vec<String> {
        let list = text.split(begin).nth(1).and_then(|rest| rest.split(end).next()).expect("the list");
        list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let inside = registry::unified().filter_map(|policy| policy.inside).map(str::to_owned);
    assert_eq!(listed("The policy inside is one of ", ";"), inside.collect::<Vec<_>>());
    let with_oracles = POLICIES.iter().filter(|policy| policy.may_have_oracles()).map(|policy| policy.key);
    let mut said = listed("They exist for ", ", alone or inside SWaS");
    said.sort();
    let mut right: Vec<_> = with_oracles.map(str::to_owned).collect();
    right.sort();
    assert_eq!(said, right);
}

#[test]
fn the_schedulers_of_the_readme_exist() {
    let readme = read("README.md");
    let rows = readme.lines().skip_while(|line| !line.starts_with("| scheduler | choice")).skip(2).map(cells);
    let names: Vec<_> = rows.map_while(|row| row.first().copied()).collect();
    let keys: Vec<_> = names.iter().flat_map(|names| names.split('`').skip(1).step_by(2)).collect();
    assert_eq!(without_row(&keys), Vec::<&str>::new(), "policies that README.md does not name");
    let unknown: Vec<_> = keys.into_iter().filter(|key| registry::find(key).is_none()).collect();
    assert!(unknown.is_empty(), "README.md promises the schedulers {unknown:?}");
}

/// Pointing at a bar of the README's chart shows the number that its table has, rounded.
#[test]
fn the_chart_of_the_readme_is_its_table() {
    let (readme, chart) = (read("README.md"), read("docs/schedulers.svg"));
    let mut rows = readme.lines().map(cells).skip_while(|row| row.first() != Some(&"scheduler"));
    let columns = rows.next().unwrap_or_default();
    let mut compared = 0;
    for row in rows.skip(1).take_while(|row| !row.is_empty()) {
        for (column, in_table) in columns.iter().zip(&row).skip(1) {
            let bar = chart.split_once(&format!("<title>{column}, {}: ", row[0]));
            let shown = bar.and_then(|(_, rest)| rest.split('<').next()?.parse::<f64>().ok());
            let is_same =
                shown.is_some_and(|shown| (shown - in_table.parse::<f64>().unwrap()).abs() <= 0.00051);
            assert!(
                is_same,
                "{column}, {}: {in_table} in README.md, {shown:?} in docs/schedulers.svg",
                row[0]
            );
            compared += 1;
        }
    }
    assert_eq!(compared, chart.matches("<title>").count(), "bars without a row in README.md");
}

/// The inputs of a scheduler by groups: name, kind, type.
type Groups = &'static [(&'static str, &'static [(&'static str, &'static str, &'static str)])];

macro_rules! groups {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $kind:ident $type:ident,)*
    })*) => {
        const GROUPS: Groups =
            &[$((stringify!($name), &[$((stringify!($field), stringify!($kind), stringify!($type)),)*]),)*];
    };
}
scheduler_inputs!(groups);

/// The inputs of a group with what stands before their names, and whether they are events.
fn inputs(group: &str, before: &str) -> Vec<(String, bool)> {
    let (_, fields) = GROUPS.iter().find(|(name, _)| *name == group).expect("a group");
    let expand = |(name, kind, shape): &(&str, &str, &str)| match *kind {
        "part" => inputs(shape, &format!("{before}{name}.")),
        _ => vec![(format!("{before}{name}"), *kind == "event")],
    };
    fields.iter().flat_map(expand).collect()
}

#[test]
fn the_table_of_ports_is_the_list() {
    let text = read("docs/SCHEDULERS.md");
    let rows = text.lines().map(cells).filter(|cells| cells.len() == 3 && ["in", "out"].contains(&cells[1]));
    let row = |row: Vec<&str>| (row[0].trim_matches('`').to_owned(), row[2].starts_with("event"));
    let documented: Vec<_> = rows.map(row).collect();
    let port = |name: &str| vec![(name.to_owned(), false)];
    let list = [
        port("clock"),
        port("reset"),
        inputs("StageView", "stage."),
        inputs("CoreView", "core."),
        port("grant.valid"),
        port("grant.oh"),
        port("grant.wid"),
    ];
    assert_eq!(documented, list.concat());
}

#[test]
fn every_instruction_is_documented_once() {
    let scalar = section("docs/ISA.md", "2");
    let quoted: Vec<&str> = scalar
        .lines()
        .filter(|line| line.starts_with("| "))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect();
    let simt = section("docs/ISA.md", "3");
    let mut scalars = 0;
    for instruction in ISA {
        if let Some(name) = instruction.mnemonic.strip_prefix("vx_") {
            let row = row(&simt, "docs/ISA.md", &format!("vx_{name}"));
            let bits = row[1].trim_matches('`').replace(' ', "");
            let bit = |i: usize| match (instruction.mask >> (31 - i) & 1, instruction.bits >> (31 - i) & 1) {
                (0, _) => '-',
                (_, 0) => '0',
                _ => '1',
            };
            assert_eq!(bits, (0..32).map(bit).collect::<String>(), "{name}");
        } else {
            scalars += 1;
            let count = quoted.iter().filter(|name| **name == instruction.mnemonic).count();
            assert_eq!(count, 1, "{} in section 2 of docs/ISA.md", instruction.mnemonic);
        }
    }
    assert_eq!(quoted.iter().filter(|name| !name.starts_with("--")).count(), scalars);
}

#[test]
fn the_table_of_csrs_is_the_source() {
    let text = section("docs/ISA.md", "4");
    for csr in CSRS {
        let number = match csr.last - csr.first {
            0 => format!("0x{:03X}", csr.first),
            _ => format!("0x{:03X}-0x{:03X}", csr.first, csr.last),
        };
        let write = match csr.write {
            Write::Stored => "stored",
            Write::Ignored => "ignored",
            Write::Illegal => "fault",
        };
        let row = row(&text, "docs/ISA.md", csr.name);
        let lane = if csr.per_lane { "lane" } else { "warp" };
        assert_eq!(row[1..4], [number.as_str(), lane, write], "{}", csr.name);
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("| `")).count(), CSRS.len());
}

#[test]
fn the_table_of_counters_is_the_source() {
    let text = section("docs/ISA.md", "5");
    for counter in COUNTERS {
        let place = |(class, n): (u8, u8)| format!("{class}: 0x{:03X}", 0xb00 + u16::from(n));
        let places: Vec<_> = counter.places().map(place).collect();
        let row = row(&text, "docs/ISA.md", counter.name);
        let vortex = counter.vortex.map_or("", |(name, ..)| name);
        assert_eq!(row[1..], [counter.meaning, &places.join(", "), vortex], "{}", counter.name);
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("| `")).count(), COUNTERS.len());
}

#[test]
fn the_memory_map_and_the_faults_are_the_source() {
    let text = section("docs/ISA.md", "6");
    let last =
        [map::CONSOLE_BASE - 1, map::EXIT_CODE, map::IO_END - 1, map::HEAP_BASE - 1, map::HEAP_END - 1];
    let first = [map::CONSOLE_BASE, map::IO_END, map::HEAP_BASE, map::STARTUP_ADDR, map::LOCAL_MEM_BASE];
    for address in last.into_iter().chain(first).chain([map::UNWRITTEN]) {
        assert!(text.contains(&format!("0x{address:08X}")), "{address:#010x} in section 6 of docs/ISA.md");
    }
    assert!(text.contains(&map::STACK_BYTES.to_string()));
    let text = section("docs/ISA.md", "8");
    for code in 0..16 {
        let row = text.lines().map(cells).find(|cells| cells.first() == Some(&code.to_string().as_str()));
        let meaning = Cause::of_code(code).map(|cause| cause.to_string());
        assert_eq!(row.map(|cells| cells[1].to_owned()), meaning, "cause {code}");
    }
}

/// The signals of a core's trace port, which are ports of its top module.
fn trace_ports(cfg: &CoreConfig) -> Vec<String> {
    let signals = rtl::trace_signals(cfg);
    let design = generate(cfg, &[]).expect("a core");
    let ports = design.ports.iter().filter(|port| port.name.starts_with("trace_"));
    let ports: BTreeMap<_, _> = ports.map(|port| (&port.name, port.width)).collect();
    assert!(ports.keys().copied().eq(signals.keys()), "{ports:?} are not {signals:?}");
    for (name, dims) in &signals {
        assert_eq!(ports[name] % dims.iter().product::<usize>(), 0, "{name} holds {dims:?}");
    }
    assert!(signals.len() > 60, "only {signals:?}");
    signals.into_keys().collect()
}

/// The trace port is documented signal by signal; what schedulers see is so in the definition of their inputs.
#[test]
fn every_signal_of_the_trace_port_is_documented() {
    let (text, inputs) = (read("sim/README.md"), read("docs/SCHEDULERS.md"));
    let tiny = CoreConfig { fpu: true, ..CoreConfig::preset("tiny").expect("a preset") };
    let shared = CoreConfig { slices: 2, kaws_sharing: Some(true), ..tiny.clone() };
    let banked = CoreConfig { register_banks: 2, ..tiny.clone() };
    let cores = [CoreConfig { oracle: true, ..tiny }, shared, banked];
    let mut names: Vec<String> = cores.iter().flat_map(trace_ports).collect();
    names.sort();
    names.dedup();
    assert!(names.iter().any(|name| name.starts_with("trace_sharing_")), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("trace_collect_")), "{names:?}");
    let families = ["trace_issue_sched_", "trace_fetch_", "trace_"];
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let dotted = inputs.replace('.', "_");
    let defined: HashSet<&str> = inputs.split(|c| !is_name(c)).chain(dotted.split(|c| !is_name(c))).collect();
    let is_input = |name: &String| {
        families.iter().any(|family| {
            let input = name.strip_prefix(family).filter(|_| text.contains(&format!("`{family}*`")));
            input.is_some_and(|input| defined.contains(input) || defined.contains(&*format!("core_{input}")))
        })
    };
    let is_word = |word: &&str| word.starts_with("trace_") && word.chars().all(is_name);
    let said: Vec<String> = text.split('`').filter(is_word).map(str::to_owned).collect();
    let missing: Vec<_> =
        names.iter().filter(|name| !said.contains(name) && !is_input(name)).cloned().collect();
    none(&missing, "sim/README.md does not say what these signals of the trace port are");
    let unknown: Vec<_> = said.into_iter().filter(|said| !names.contains(said)).collect();
    none(&unknown, "sim/README.md tells of these signals, and no trace port has them");
}
