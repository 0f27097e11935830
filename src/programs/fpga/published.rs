//! What the papers say that their schedulers keep, and the modules here that keep it, at the papers' sizes.

use spec::config::CoreConfig;

/// State of a scheduler, as published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// What it is.
    pub name: &'static str,
    /// Where the paper says so.
    pub source: &'static str,
    /// Bits a core; `None` if the paper does not count it.
    pub bits: Option<u64>,
    /// The module that keeps it.
    pub module: &'static str,
    /// Warps of the paper's core.
    warps: usize,
    /// Its CTA slots.
    cta_slots: usize,
    /// The policy.
    issue: &'static str,
    by_block: bool,
}

const fn of_warps(issue: &'static str, warps: usize, cta_slots: usize) -> Published {
    Published { name: "", source: "", bits: None, module: "", warps, cta_slots, issue, by_block: false }
}

const BAWS: Published = of_warps("mwf-gto", 48, 8);
const KAWS: Published = of_warps("kaws", 64, 32);
const IPAWS: Published = of_warps("ipaws", 48, 8);

/// All that the papers count, and what they leave out beside it.
pub const PUBLISHED: [Published; 7] = [
    Published {
        name: "BAWS: warp priority table",
        source: "BAWS, abstract: 6 bytes",
        bits: Some(6 * 8),
        module: "WarpPriorityTable",
        ..BAWS
    },
    Published {
        name: "BAWS: which warp of a CTA fired last (a scheduler)",
        source: "not counted",
        module: "LastOfCta",
        ..BAWS
    },
    Published {
        name: "KAWS: progress of CTAs and their order by it",
        source: "KAWS 3: 128 bytes for progress",
        bits: Some(128 * 8),
        module: "CtaProgress",
        ..KAWS
    },
    Published {
        name: "iPAWS: counts of warps",
        source: "iPAWS 3.5: 384 bytes, two counts a warp",
        bits: Some(384 * 8),
        module: "IssueCounts",
        ..IPAWS
    },
    Published {
        name: "iPAWS: counts of blocks",
        source: "iPAWS 3.5: a sixth of that",
        bits: Some(384 * 8 / 6),
        module: "BlockCounts",
        by_block: true,
        ..IPAWS
    },
    Published { name: "iPAWS: the decision", source: "not counted", module: "IssuePattern", ..IPAWS },
    Published {
        name: "MOTRR: recency register",
        source: "MOTRR III, figure 4: 48 entries of a counter of 6 bits and a bit",
        bits: Some(48 * 7),
        module: "RecencyRegister",
        ..of_warps("motrr-recency", 48, 8)
    },
];

impl Published {
    /// A core that has the module.
    pub fn core(&self) -> CoreConfig {
        let Self { warps, cta_slots, by_block: ipaws_block_counts, .. } = *self;
        // One lane, and nothing that has no part in it.
        let shape = CoreConfig { warps, cta_slots, ipaws_block_counts, threads: 1, ..CoreConfig::default() };
        CoreConfig { issue: self.issue.into(), fpu: false, counters: false, trace_port: false, ..shape }
    }
}
