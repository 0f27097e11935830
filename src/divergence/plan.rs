//! What is to be inserted into a function, and where it keeps what that needs.

use super::callers::Analysed;
use super::homes::Homes;
use super::liveness::Liveness;
use super::places::Register;
use super::regions::Regions;
use super::Convention;

/// All of it.
#[derive(Debug)]
pub struct Plan {
    pub regions: Regions,
    pub liveness: Liveness,
    pub homes: Homes,
}

impl Plan {
    pub fn new(function: &Analysed, convention: Convention) -> Self {
        let Analysed { graph, uniformity, .. } = function;
        let plan = |several| {
            let regions = Regions::new(graph, &uniformity.divergent, several);
            let liveness = Liveness::new(graph, convention);
            let homes = Homes::new(graph, &liveness, &regions, convention);
            Self { regions, liveness, homes }
        };
        let all = plan(true);
        // A flag is asked between two instructions, where nothing can be loaded for it.
        let kept = all.regions.flags.values().all(|&flag| all.homes.register(flag).is_some());
        if kept {
            all
        } else {
            plan(false)
        }
    }

    /// The register of the flag of a loop that is left by several branches.
    pub fn flag(&self, region: usize) -> Option<Register> {
        self.homes.register(*self.regions.flags.get(&region)?)
    }
}
