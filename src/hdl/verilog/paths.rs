//! Which signals follow which within a cycle.
use super::ir::{Role, SignalId};
use super::signals::Scope;
use super::usage::Usage;
use std::collections::{BTreeSet, HashMap};

/// Combinational paths through the children: for each signal of a child's input the outputs that follow it.
pub(super) type Through = HashMap<SignalId, Vec<SignalId>>;

/// Edges from each signal to the signals that depend on it.
pub(super) fn followers(scope: &Scope, usage: &Usage, through: &Through) -> Vec<Vec<SignalId>> {
    let mut follow: Vec<Vec<SignalId>> = vec![vec![]; scope.signals.len()];
    for write in &usage.writes {
        for (place, _) in &write.reads {
            follow[place.signal].push(write.target.signal);
        }
    }
    for (input, outputs) in through {
        follow[*input].extend(outputs);
    }
    follow.iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    follow
}

/// Combinational paths from inputs to outputs.
pub(super) fn paths(scope: &Scope, usage: &Usage, through: &Through) -> Vec<(String, Vec<String>)> {
    let follow = followers(scope, usage, through);
    let name = |id: SignalId| scope.signals[id].path.replace('.', "_");
    let mut paths = vec![];
    for (input, _) in scope.signals.iter().enumerate().filter(|(_, signal)| signal.role == Role::Input) {
        let (mut seen, mut open) = (BTreeSet::new(), vec![input]);
        while let Some(signal) = open.pop() {
            if seen.insert(signal) {
                open.extend(&follow[signal]);
            }
        }
        let outputs: Vec<String> =
            seen.into_iter().filter(|&id| scope.signals[id].role == Role::Output).map(name).collect();
        if !outputs.is_empty() {
            paths.push((name(input), outputs));
        }
    }
    paths
}

/// Combinational paths of a body in Verilog: an output that is not assigned at a clock edge follows every input.
pub(super) fn leaf_paths(scope: &Scope, text: &str) -> Vec<(String, Vec<String>)> {
    let of = |role: Role| scope.signals.iter().filter(move |signal| signal.role == role);
    let outputs: Vec<String> = of(Role::Output)
        .map(|signal| signal.name.clone())
        .filter(|name| !text.contains(&format!("{name} <=")))
        .collect();
    of(Role::Input)
        .filter(|signal| signal.name != "clock" && !outputs.is_empty())
        .map(|signal| (signal.name.clone(), outputs.clone()))
        .collect()
}
