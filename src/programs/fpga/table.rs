//! The cost of the usual configurations, of every issue scheduler, and of what the papers count.

use crate::report::{grouped, Table};
use hdl::verilog::Design;
use rtl::{self, GenerateError};

use super::candidates::{Candidate, Kind, PART, SCHEDULER};
use super::error::FlowError;
use super::flow::{place, synthesise, Target};
use super::published::Published;
use super::report::Area;
use super::tools::Tools;
use super::Board;

/// Clock that placements aim at, in MHz.
const AIM_MHZ: f64 = 60.0;

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The candidate's name.
    pub name: String,
    /// Its issue scheduler.
    pub issue: String,
    /// The issue scheduler's module, synthesised alone, and what the core keeps of CTAs for it; or the module of what a paper
    /// counts, or the part.
    pub scheduler: Area,
    /// The whole core, if it was synthesised.
    pub core: Option<Area>,
    /// Clocks of its placements in MHz, by seed.
    pub clocks_mhz: Vec<f64>,
    /// What the paper counts.
    pub published: Option<Published>,
}

/// Why there is no row.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The core cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A tool failed.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// The text of the core is not what this version expects.
    #[error("the core has no module for the row {0} (a bug in heddle)")]
    NoModule(String),
}

/// How much of a candidate is measured.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The whole core, not just its issue scheduler.
    pub whole: bool,
    /// Placements of the whole core, with seeds from 1.
    pub placements: u32,
    /// Where they are placed.
    pub board: &'static Board,
}

/// Synthesises a candidate's issue scheduler alone and, to the given extent, synthesises and places the whole core.
///
/// # Errors
/// A tool that is missing or fails, or a design that does not fit.
pub fn measure(tools: &Tools, candidate: &Candidate, extent: Extent) -> Result<Row, TableError> {
    let Candidate { name, cfg, kind } = candidate;
    let design = rtl::generate(cfg, &[])?;
    let verilog = design.concat();
    let mut row = Row { name: name.clone(), issue: cfg.issue.clone(), ..Row::default() };
    for module in modules(&design, kind).ok_or_else(|| TableError::NoModule(name.clone()))? {
        row.scheduler = row.scheduler + synthesise(tools, &verilog, module)?.area;
    }
    if let Kind::State(state) = kind {
        row.published = Some(*state);
    }
    if extent.whole && matches!(kind, Kind::Core | Kind::Scheduler) {
        let netlist = synthesise(tools, &verilog, rtl::TOP)?;
        row.core = Some(netlist.area);
        for seed in 1..=extent.placements {
            let target = Target { board: extent.board, mhz: AIM_MHZ, seed, pins: None };
            row.clocks_mhz.push(place(tools, &netlist, &target)?.timing.fmax_mhz);
        }
    }
    Ok(row)
}

/// The modules that are counted: of a scheduler that which an issue slice has, and what the core keeps of CTAs for it.
fn modules<'a>(design: &'a Design, kind: &Kind) -> Option<Vec<&'a str>> {
    let find = |name: &str| design.modules.iter().find(|module| module.name == name);
    if let Kind::State(Published { module, .. }) | Kind::Part(module) = kind {
        return Some(vec![&find(module)?.name]);
    }
    let front = find("IssueFront")?;
    let scheduler = front.text.lines().find_map(|line| line.trim().strip_suffix(" scheduler ("))?.trim();
    Some([scheduler].into_iter().chain(find("CtaTracker").map(|module| module.name.as_str())).collect())
}

const COLUMNS: [&str; 10] = [
    "configuration",
    "issue",
    "scheduler_lut4",
    "scheduler_ff",
    "core_lut4",
    "core_ff",
    "core_bram",
    "core_dsp",
    "core_carry",
    "fmax_mhz",
];

impl Row {
    fn cells(&self) -> [String; 10] {
        let Self { name, issue, scheduler, core, .. } = self;
        let of_core =
            |count: fn(&Area) -> u64| core.as_ref().map_or(String::new(), |area| count(area).to_string());
        [
            name.clone(),
            issue.clone(),
            scheduler.lut4.to_string(),
            scheduler.ff.to_string(),
            of_core(|area| area.lut4),
            of_core(|area| area.ff),
            of_core(|area| area.bram),
            of_core(|area| area.dsp),
            of_core(|area| area.carry),
            self.median_mhz().map_or(String::new(), |mhz| mhz.to_string()),
        ]
    }

    /// Median of the clocks; of an even number, the faster of the middle two.
    fn median_mhz(&self) -> Option<f64> {
        let mut clocks = self.clocks_mhz.clone();
        clocks.sort_by(f64::total_cmp);
        clocks.get(clocks.len() / 2).copied()
    }
}

/// The table as a file of comma-separated values.
pub fn csv(rows: &[Row]) -> String {
    let lines = rows.iter().map(|row| row.cells().join(","));
    std::iter::once(COLUMNS.join(",")).chain(lines).map(|line| line + "\n").collect()
}

/// The tables for people: whole cores, if any were synthesised, their clocks if they were placed, the schedulers, what
/// papers count, and parts.
pub fn markdown(rows: &[Row]) -> String {
    let table = |title: &str, columns: &[&str], rows: Vec<Vec<String>>| {
        let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
        (!rows.is_empty())
            .then(|| Table { title: title.into(), columns, rows, ..Table::default() }.markdown())
    };
    let whole = rows.iter().filter_map(|row| {
        let Area { lut4, ff, bram, dsp, carry, lut_ram } = row.core?;
        let counts = [lut4, ff, bram, dsp, carry, lut_ram].map(grouped);
        Some([row.name.clone()].into_iter().chain(counts).collect())
    });
    let clocks = rows.iter().filter_map(|row| {
        let each: Vec<_> = row.clocks_mhz.iter().map(|mhz| format!("{mhz:.1}")).collect();
        Some(vec![row.name.clone(), format!("{:.1}", row.median_mhz()?), each.join(", ")])
    });
    let scheduler = |row: &Row| {
        let key = row.name.strip_prefix(SCHEDULER)?;
        Some(vec![key.to_owned(), grouped(row.scheduler.lut4), grouped(row.scheduler.ff)])
    };
    let state = |row: &Row| {
        let Published { name, source, bits, .. } = row.published?;
        let bits = bits.map_or("-".into(), grouped);
        Some(vec![name.into(), source.into(), bits, grouped(row.scheduler.ff), grouped(row.scheduler.lut4)])
    };
    let part = |row: &Row| {
        let name = row.name.strip_prefix(PART)?;
        let Area { lut4, ff, dsp, carry, .. } = row.scheduler;
        Some([name.to_owned()].into_iter().chain([lut4, carry, ff, dsp].map(grouped)).collect())
    };
    let tables = [
        table(
            "Whole cores",
            &["core", "LUT4", "FF", "block RAMs", "multipliers", "carry cells", "LUT RAMs"],
            whole.collect(),
        ),
        table("Clocks", &["core", "MHz, median", "of placements"], clocks.collect()),
        table(
            "Issue schedulers alone",
            &["issue scheduler", "LUT4", "FF"],
            rows.iter().filter_map(scheduler).collect(),
        ),
        table(
            "State at the papers' sizes",
            &["state", "paper", "published bits", "FF", "LUT4"],
            rows.iter().filter_map(state).collect(),
        ),
        table(
            "Parts alone",
            &["part", "LUT4", "carry cells", "FF", "multipliers"],
            rows.iter().filter_map(part).collect(),
        ),
    ];
    tables.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fpga::candidates::candidates;
    use crate::fpga::published::PUBLISHED;
    use spec::registry::{self, Stage};

    #[test]
    fn every_issue_policy_is_measured_once_and_has_its_module() {
        let all = candidates();
        let schedulers = all.iter().filter(|c| c.kind == Kind::Scheduler).map(|c| c.cfg.issue.as_str());
        let issue = registry::keys(Stage::Issue).into_iter().chain(registry::unified().map(|p| p.key));
        assert!(schedulers.eq(issue));
        for candidate in all.iter().filter(|c| c.kind == Kind::Scheduler) {
            let design = rtl::generate(&candidate.cfg, &[]).unwrap();
            let counted = modules(&design, &candidate.kind).unwrap();
            let module = design.modules.iter().find(|module| module.name == counted[0]).unwrap();
            assert!(module.text.contains("grant_oh"), "{}", module.name);
            assert_eq!(counted.len(), if candidate.cfg.has_table(None) { 2 } else { 1 }, "{counted:?}");
        }
    }

    #[test]
    fn tables_have_a_line_for_each_row() {
        let area = Area { lut4: 10, ff: 3, ..Area::default() };
        let row = Row {
            name: "a".into(),
            issue: "lrr".into(),
            scheduler: area,
            core: Some(area),
            clocks_mhz: vec![41.5, 40.5, 60.0],
            published: None,
        };
        let rows = [row.clone(), Row { core: None, clocks_mhz: vec![], ..row }];
        let text = csv(&rows);
        assert_eq!(text.lines().nth(1), Some("a,lrr,10,3,10,3,0,0,0,41.5"));
        assert_eq!(text.lines().nth(2), Some("a,lrr,10,3,,,,,,"));
        let rows = rows.map(|row| Row { name: "issue lrr".into(), ..row });
        let table = |title, head: &str, row| {
            format!("{title}\n\n{head}\n|{}\n{row}\n", "---|".repeat(head.matches(" |").count()))
        };
        let cores = table(
            "Whole cores",
            "| core | LUT4 | FF | block RAMs | multipliers | carry cells | LUT RAMs |",
            "| issue lrr | 10 | 3 | 0 | 0 | 0 | 0 |",
        );
        let clocks = table(
            "Clocks",
            "| core | MHz, median | of placements |",
            "| issue lrr | 41.5 | 41.5, 40.5, 60.0 |",
        );
        let alone = table("Issue schedulers alone", "| issue scheduler | LUT4 | FF |", "| lrr | 10 | 3 |");
        assert_eq!(markdown(&rows[..1]), format!("{cores}\n{clocks}\n{alone}"));
        assert_eq!(markdown(&rows[1..]), alone);
        let unplaced = [Row { clocks_mhz: vec![], ..rows[0].clone() }];
        assert_eq!(markdown(&unplaced), format!("{cores}\n{alone}"));
        let state = Row { published: Some(PUBLISHED[0]), name: "state".into(), ..rows[1].clone() };
        let expected = "| BAWS: warp priority table | BAWS, abstract: 6 bytes | 48 | 3 | 10 |";
        assert!(markdown(&[state]).contains(expected));
        let part = Row { name: "part Alu".into(), ..rows[1].clone() };
        assert!(markdown(&[part]).contains("Parts alone\n\n| part "), "a part is in a table of its own");
    }

    #[test]
    fn every_part_is_a_module_of_its_core() {
        for candidate in candidates().iter().filter(|c| matches!(c.kind, Kind::Part(_))) {
            let design = rtl::generate(&candidate.cfg, &[]).unwrap();
            assert!(modules(&design, &candidate.kind).is_some(), "{}", candidate.name);
        }
    }
}
