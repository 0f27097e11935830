//! Many schedulers in one simulator: in a scheduler's place stands a choice of all, and inputs of their own select one.
//!
//! Building a simulator takes minutes for a large core, and an experiment compares a dozen pairs of schedulers. They are
//! the modules that `gen` writes, all present, all told what happens; the core sees one of them. That it is the right one
//! is checked as always: the models of the selected policies must choose the hardware's warp in every cycle.

use hdl::verilog::{Site, Tree};
use spec::config::CoreConfig;
use spec::registry;

use super::ports::{SELECT_FETCH, SELECT_ISSUE};
use super::simulation::{SimError, Simulation};
use super::verilator::BuildOptions;

const FETCH: Site = Site { part: &["select", "scheduler"], select: SELECT_FETCH };
const ISSUE: Site = Site { part: &["slices", "front", "scheduler"], select: SELECT_ISSUE };
const ORACLES: Site = Site { part: &["slices", "front", "oracles"], select: SELECT_ISSUE };

/// Cores that differ in their schedulers alone.
pub struct SideBySide {
    tree: Tree,
    cores: Vec<CoreConfig>,
    /// What selects each: inputs and numbers.
    selections: Vec<Selection>,
}

type Selection = Vec<(&'static str, u8)>;

impl SideBySide {
    /// Every pair of these fetch and issue policies.
    ///
    /// # Errors
    /// Cores that cannot be generated, or that differ in more than a choice of parts can hide.
    pub fn pairs(base: &CoreConfig, fetches: &[&str], issues: &[&str]) -> Result<Self, SimError> {
        let with = |fetch: &str, issue: &str| CoreConfig {
            fetch: fetch.into(),
            issue: issue.into(),
            ..base.clone()
        };
        // The schedule stage that is made for a strict policy serves the others too; one for a loose policy passes it by.
        let host_fetch = match fetches.iter().copied().find(|key| registry::is_strict(key)) {
            Some(strict) => strict,
            None => first(fetches)?,
        };
        let first_issue = first(issues)?;
        // All have the ports for what some order CTAs by.
        let policies = fetches.iter().chain(issues).filter_map(|key| registry::find(key));
        let tables_beside: Vec<_> = policies.filter_map(|policy| policy.table).collect();
        let beside = |fetch: &str, issue: &str| CoreConfig {
            tables_beside: tables_beside.clone(),
            ..with(fetch, issue)
        };
        let mut tree = read(&beside(host_fetch, first_issue))?;
        serve(&mut tree, &[FETCH], fetches.iter().map(|fetch| beside(fetch, first_issue)))?;
        serve(&mut tree, issue_sites(base), issues.iter().map(|issue| beside(host_fetch, issue)))?;
        let all = || (0..).zip(fetches).flat_map(|fetch| (0..).zip(issues).map(move |issue| (fetch, issue)));
        Ok(Self {
            tree,
            cores: all().map(|((_, fetch), (_, issue))| with(fetch, issue)).collect(),
            selections: all().map(|((f, _), (i, _))| vec![(SELECT_FETCH, f), (SELECT_ISSUE, i)]).collect(),
        })
    }

    /// The unified scheduler of each of these keys.
    ///
    /// # Errors
    /// As [`SideBySide::pairs`].
    pub fn unified(base: &CoreConfig, keys: &[&str]) -> Result<Self, SimError> {
        let with = |key: &&str| CoreConfig { fetch: (*key).into(), issue: (*key).into(), ..base.clone() };
        let mut tree = read(&with(&first(keys)?))?;
        serve(&mut tree, issue_sites(base), keys.iter().map(with))?;
        Ok(Self {
            tree,
            cores: keys.iter().map(with).collect(),
            selections: (0..).zip(keys).map(|(number, _)| vec![(SELECT_ISSUE, number)]).collect(),
        })
    }

    /// The cores, in the order of the keys, fetch before issue.
    pub fn cores(&self) -> &[CoreConfig] {
        &self.cores
    }

    /// The simulator as that of each of its cores, in their order.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn simulations(&self, options: &BuildOptions) -> Result<Vec<Simulation>, SimError> {
        let (Some(first), Some(selection)) = (self.cores.first(), self.selections.first()) else {
            return Ok(vec![]);
        };
        let design =
            self.tree.emit(&[]).map_err(|errors| side_by_side(rtl::GenerateError::Verilog(errors)))?;
        // Found once: there are as many cores as pairs of policies.
        let mut all = vec![Simulation::from_design(first, &design, options)?.selecting(first, selection)?];
        for (core, selection) in self.cores.iter().zip(&self.selections).skip(1) {
            all.push(all[0].selecting(core, selection)?);
        }
        Ok(all)
    }
}

/// Where cores of several issue schedulers differ.
fn issue_sites(base: &CoreConfig) -> &'static [Site<'static>] {
    if base.oracle {
        &[ISSUE, ORACLES]
    } else {
        &[ISSUE]
    }
}

fn first<'a>(keys: &[&'a str]) -> Result<&'a str, SimError> {
    keys.first().copied().ok_or_else(|| SimError::Generate("no scheduler is named".into()))
}

fn read(cfg: &CoreConfig) -> Result<Tree, SimError> {
    rtl::read(cfg).map_err(|error| SimError::Generate(error.to_string()))
}

/// Puts what these cores have at the sites side by side into `tree`.
fn serve(tree: &mut Tree, sites: &[Site], cores: impl Iterator<Item = CoreConfig>) -> Result<(), SimError> {
    let variants = cores.map(|cfg| read(&cfg)).collect::<Result<Vec<_>, _>>()?;
    sites.iter().try_for_each(|&site| tree.serve(site, &variants).map_err(side_by_side))
}

fn side_by_side(error: impl std::fmt::Display) -> SimError {
    SimError::Generate(format!("schedulers cannot stand side by side: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(oracle: bool) -> CoreConfig {
        CoreConfig { warps: 2, threads: 1, oracle, fpu: false, ..CoreConfig::default() }
    }

    fn text(cores: &SideBySide) -> String {
        cores.tree.emit(&[]).unwrap().concat()
    }

    #[test]
    fn a_menu_has_each_scheduler_once_and_inputs_that_select() {
        let cores = SideBySide::pairs(&small(true), &["lrr", "gtlo"], &["lrr", "fixed", "gtlo"]).unwrap();
        assert_eq!((cores.cores().len(), cores.selections[5][0].1, cores.selections[5][1].1), (6, 1, 2));
        let text = text(&cores);
        let count = |part: &str| text.lines().filter(|line| line.trim().starts_with(part)).count();
        // At fetch, at issue, and of the oracles.
        assert_eq!(count("module Variants"), 3);
        let top = text.split_once("module heddle (").unwrap().1.split_once(");").unwrap().0;
        assert!(top.contains(SELECT_FETCH) && top.contains(SELECT_ISSUE), "{top}");
    }

    #[test]
    fn the_text_of_a_menu_is_the_same_each_time() {
        let cores = || SideBySide::unified(&small(false), &["swas:lrr", "swas:gtlo"]).unwrap();
        assert_eq!(text(&cores()), text(&cores()));
        assert!(!text(&cores()).contains(SELECT_FETCH));
    }

    #[test]
    fn what_differs_in_more_than_a_scheduler_is_refused() {
        let mut tree = read(&small(false)).unwrap();
        let other = CoreConfig { warps: 3, ..small(false) };
        let message = serve(&mut tree, &[ISSUE], [small(false), other].into_iter()).unwrap_err().to_string();
        assert!(message.contains("differ in their ports"), "{message}");
        let message = serve(&mut tree, &[ORACLES], [small(true)].into_iter()).unwrap_err().to_string();
        assert!(message.contains("slices.front.oracles"), "{message}");
    }
}
