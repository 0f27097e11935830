//! What a configuration must be like: rules that relate parameters, beside the ranges of the data sheet.

use super::sheet::{BANKS, SLICES};
use super::{CacheConfig, CoreConfig, DataCacheConfig, Parameter, Range, PARAMETERS};
use super::{FETCH_LATENCY, LINE_BYTES, MAX_LOADS, MAX_MSHRS, MAX_SLICES, MAX_THREADS};
use crate::registry::{self, Stage};

/// A rule that a configuration breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} = {value}: {rule}")]
pub struct Violation {
    /// The field's name as in the TOML file.
    pub field: String,
    /// The offending value.
    pub value: String,
    /// What is required instead.
    pub rule: String,
}

/// What a rule says of a core.
pub type Check = Result<(), Broken>;

/// What is required of a parameter instead of what it is.
#[derive(Clone, Debug)]
pub struct Broken {
    /// If it is a table: the field, and its value.
    part: Option<(&'static str, usize)>,
    rule: String,
}

impl CoreConfig {
    /// Checks ranges and rules of all parameters.
    ///
    /// # Errors
    /// All violations at once, in field order.
    pub fn validate(&self) -> Result<(), Vec<Violation>> {
        let broken: Vec<_> = PARAMETERS.iter().flat_map(|parameter| violations(parameter, self)).collect();
        if broken.is_empty() {
            Ok(())
        } else {
            Err(broken)
        }
    }
}

fn violations(parameter: &Parameter, core: &CoreConfig) -> Vec<Violation> {
    let in_range = (parameter.number)(core).map_or(Ok(()), |number| parameter.range.check(number));
    let checks = [in_range].into_iter().chain(parameter.rules.iter().map(|rule| rule(core)));
    let violation = |Broken { part, rule }| match part {
        Some((part, value)) => {
            Violation { field: format!("{}.{part}", parameter.name), value: value.to_string(), rule }
        }
        None => Violation { field: parameter.name.into(), value: in_file(parameter, core), rule },
    };
    checks.filter_map(Result::err).map(violation).collect()
}

/// The value as a file has it.
fn in_file(parameter: &Parameter, core: &CoreConfig) -> String {
    match parameter.text(core).as_str() {
        "on" => "true".into(),
        "off" => "false".into(),
        text => text.into(),
    }
}

pub(super) fn require(holds: bool, rule: impl Into<String>) -> Check {
    if holds {
        Ok(())
    } else {
        Err(Broken { part: None, rule: rule.into() })
    }
}

/// The same of a field of a table.
fn require_of(part: &'static str, value: usize, holds: bool, rule: &str) -> Check {
    require(holds, rule).map_err(|broken| Broken { part: Some((part, value)), ..broken })
}

fn is_power_of_two(number: usize, least: usize, most: usize) -> bool {
    Range::PowerOfTwo(least, most).check(number).is_ok()
}

pub(super) fn a_multiple_of_slices(core: &CoreConfig) -> Check {
    let holds = !SLICES.contains(&core.slices) || core.warps.is_multiple_of(core.slices);
    require(holds, format!("must be a multiple of slices ({})", core.slices))
}

pub(super) fn one_slice_under_swas(core: &CoreConfig) -> Check {
    let holds = !is_unified(core) || core.slices == 1;
    require(holds, "must be 1 under swas: one selection a cycle serves both stages")
}

pub(super) fn queue_under_swas(core: &CoreConfig) -> Check {
    let depth = FETCH_LATENCY + 1;
    let holds = !is_unified(core) || core.queue_depth == depth;
    require(holds, format!("must be {depth} under swas: the fetch latency and one"))
}

pub(super) fn one_word_under_swas(core: &CoreConfig) -> Check {
    let holds = !is_unified(core) || core.fetch_width == 1;
    require(holds, "must be 1 under swas: one selection a cycle fetches what it issues, an instruction")
}

/// Whether a stage, or each, names the unified scheduler.
fn is_unified(core: &CoreConfig) -> bool {
    let inside = |key: &str| registry::find(key).is_some_and(|policy| policy.inside.is_some());
    inside(&core.fetch) || inside(&core.issue)
}

pub(super) fn a_fetch_policy(core: &CoreConfig) -> Check {
    registered(&core.fetch, Stage::Fetch, "fetch")
}

pub(super) fn an_issue_policy(core: &CoreConfig) -> Check {
    registered(&core.issue, Stage::Issue, "issue")
}

fn registered(key: &str, stage: Stage, name: &str) -> Check {
    let of_stage = registry::all().filter(|policy| policy.stages.contains(&stage));
    let valid: Vec<_> = of_stage.map(|policy| policy.key).collect();
    require(valid.contains(&key), format!("unknown {name} policy; valid ones are {}", valid.join(", ")))
}

pub(super) fn both_stages_under_swas(core: &CoreConfig) -> Check {
    let holds = !is_unified(core) || core.fetch == core.issue;
    require(holds, format!("must be that of issue ({}): swas is one scheduler for both stages", core.issue))
}

pub(super) fn slices_to_share_between(core: &CoreConfig) -> Check {
    let holds = core.kaws_sharing != Some(true) || !SLICES.contains(&core.slices) || core.slices > 1;
    require(holds, "needs 2 or 4 slices to share warps between")
}

pub(super) fn icache_ways(core: &CoreConfig) -> Check {
    ways(core.icache.ways)
}

pub(super) fn icache_bytes(core: &CoreConfig) -> Check {
    let CacheConfig { bytes, ways } = core.icache;
    let holds = is_power_of_two(bytes, line_a_way(ways), MOST_CACHE_BYTES);
    require_of("bytes", bytes, holds, "must be a power of two, from one 64-byte line a way to 65536")
}

pub(super) fn dcache_ways(core: &CoreConfig) -> Check {
    ways(core.dcache.ways)
}

pub(super) fn dcache_bytes(core: &CoreConfig) -> Check {
    let DataCacheConfig { bytes, ways, .. } = core.dcache;
    let holds = bytes == 0 || is_power_of_two(bytes, line_a_way(ways), MOST_CACHE_BYTES);
    require_of("bytes", bytes, holds, "must be 0 or a power of two, from one 64-byte line a way to 65536")
}

/// The largest cache.
const MOST_CACHE_BYTES: usize = 64 * 1024;

fn ways(ways: usize) -> Check {
    require_of("ways", ways, matches!(ways, 1 | 2 | 4), "must be 1, 2 or 4")
}

fn line_a_way(ways: usize) -> usize {
    LINE_BYTES * ways.clamp(1, 4)
}

pub(super) fn a_line_a_way_in_each_bank(core: &CoreConfig) -> Check {
    let banks = known_banks(core);
    let bytes = banks * line_a_way(core.dcache.ways);
    let rule = format!("needs a data cache of one 64-byte line a way in each bank, {bytes} bytes");
    require(banks == 1 || core.dcache.bytes >= bytes, rule)
}

/// The banks of the data cache, or 1 if there is no such number of them.
fn known_banks(core: &CoreConfig) -> usize {
    if BANKS.contains(&core.cache_banks) {
        core.line_paths()
    } else {
        1
    }
}

pub(super) fn mshrs_of_all_banks(core: &CoreConfig) -> Check {
    let banks = known_banks(core);
    let most = 16.min(MAX_MSHRS / banks);
    require((1..=most).contains(&core.mshrs), format!("must be 1 to {most} with cache_banks = {banks}"))
}

pub(super) fn accesses_of_different_slices(core: &CoreConfig) -> Check {
    let most = if SLICES.contains(&core.slices) { core.slices } else { MAX_SLICES };
    require(
        core.lsu_accesses <= most,
        format!("must be at most slices ({most}): each access is of other slices"),
    )
}

pub(super) fn loads_of_all_accesses(core: &CoreConfig) -> Check {
    let most = MAX_LOADS / core.load_slots.max(1);
    require(
        core.lsu_accesses <= most,
        format!("must be at most {most} with load_slots = {}", core.load_slots),
    )
}

pub(super) fn local_memory_for_all_lanes(core: &CoreConfig) -> Check {
    let least = (8 * core.threads.min(MAX_THREADS)).max(64);
    let rule = "must be a power of two, at least 64 and 8 bytes a lane, at most 16384";
    require(is_power_of_two(core.local_mem_bytes, least, 16 * 1024), rule)
}

pub(super) fn no_register_banks_under_swas(core: &CoreConfig) -> Check {
    let holds = core.register_banks == 0 || core.unified().is_none();
    require(holds, "must be 0 under swas: the time of an operand is part of its order of issue")
}

pub(super) fn no_prediction_that_schedules_forbid(core: &CoreConfig) -> Check {
    let holds = !core.btfn || core.unified().is_none() && !core.oracle;
    require(
        holds,
        "must be false under swas and with oracle, which assume that no branch is predicted to be taken",
    )
}

pub(super) fn slow_lanes_of_a_warp(core: &CoreConfig) -> Check {
    let holds = core.fpu_slow_lanes == 0 || is_power_of_two(core.fpu_slow_lanes, 1, core.threads);
    let threads = core.threads;
    require(holds, format!("must be a power of two up to threads ({threads}), or 0 for all lanes at once"))
}

pub(super) fn a_policy_that_oracles_follow(core: &CoreConfig) -> Check {
    let known = registry::POLICIES.iter().filter(|policy| policy.may_have_oracles());
    let known: Vec<_> = known.map(|policy| policy.key).collect();
    let holds = !core.oracle || known.contains(&core.unified().unwrap_or(&core.issue));
    require(holds, format!("needs one of the issue policies {}, not {}", known.join(", "), core.issue))
}

pub(super) fn no_oracles_of_shared_warps(core: &CoreConfig) -> Check {
    require(
        !core.oracle || !core.shares_warps(),
        "must be false if slices share warps: it hears of a branch where it is resolved, which may be in another slice",
    )
}

pub(super) fn a_trace_port_for_oracles(core: &CoreConfig) -> Check {
    require(!core.oracle || core.trace_port, "needs the trace port, which shows the counts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_violation_is_reported_at_once() {
        let broken = CoreConfig {
            warps: 0,
            threads: 3,
            slices: 3,
            queue_depth: 5,
            icache: CacheConfig { bytes: 100, ways: 3 },
            local_mem_bytes: 17,
            fetch_width: 3,
            dcache: DataCacheConfig { bytes: 192, ways: 5, write_back: true },
            cache_banks: 3,
            mshrs: 17,
            load_slots: 0,
            register_banks: 3,
            collectors: 5,
            div_bits: 3,
            btfn: true,
            fpu_slow_lanes: 3,
            fetch: "nosuch".into(),
            issue: "nosuch".into(),
            kaws_sharing: Some(true),
            axi_data_bits: 16,
            ..CoreConfig::default()
        };
        let fields: Vec<_> = broken.validate().unwrap_err().into_iter().map(|v| v.field).collect();
        let expected =
            "warps threads slices fetch issue queue_depth icache.ways icache.bytes fetch_width dcache.ways \
                        dcache.bytes cache_banks mshrs local_mem_bytes load_slots register_banks collectors \
                        div_bits fpu_slow_lanes axi_data_bits";
        assert_eq!(fields.join(" "), expected);
    }

    #[test]
    fn swas_and_the_oracles_know_no_branch_prediction() {
        let swas = || "swas:lrr".to_owned();
        let plain = CoreConfig { btfn: true, ..CoreConfig::default() };
        assert_eq!(plain.validate(), Ok(()));
        let unified = CoreConfig { fetch: swas(), issue: swas(), ..plain.clone() };
        for cfg in [unified, CoreConfig { oracle: true, ..plain }] {
            let fields: Vec<_> = cfg.validate().unwrap_err().iter().map(|v| v.field.clone()).collect();
            assert_eq!(fields, ["btfn"]);
        }
    }

    #[test]
    fn swas_fetches_a_word_at_a_time() {
        let pairs = CoreConfig { fetch_width: 2, ..CoreConfig::default() };
        assert_eq!(pairs.validate(), Ok(()));
        let swas = CoreConfig { fetch: "swas:lrr".into(), issue: "swas:lrr".into(), ..pairs };
        let message = swas.validate().unwrap_err()[0].to_string();
        assert!(message.starts_with("fetch_width = 2: must be 1 under swas"), "{message}");
    }

    #[test]
    fn oracles_hear_only_of_their_own_slice() {
        let cfg = |shares| CoreConfig {
            slices: 2,
            oracle: true,
            issue: "gtlo".into(),
            kaws_sharing: Some(shares),
            ..CoreConfig::default()
        };
        assert_eq!(cfg(false).validate(), Ok(()));
        let fields: Vec<_> = cfg(true).validate().unwrap_err().iter().map(|v| v.field.clone()).collect();
        assert_eq!(fields, ["oracle"]);
    }

    #[test]
    fn as_many_warps_as_there_are_bits() {
        let limits = |warps| CoreConfig { warps, ..CoreConfig::default() }.validate().is_ok();
        assert_eq!([0, 1, 33, 64, 65].map(limits), [false, true, true, true, false]);
        let cfg = CoreConfig { warps: 64, threads: 32, slices: 4, ..CoreConfig::default() };
        assert_eq!((cfg.all_warps(), cfg.own_warps(3)), (u64::MAX, 0x8888_8888_8888_8888));
        assert_eq!((cfg.slice_of(62), cfg.rank_in_slice(62)), (2, 15));
        assert_eq!((cfg.wid_bits(), cfg.warp_count_bits(), cfg.block_warps()), (6, 7, 32));
    }
}
