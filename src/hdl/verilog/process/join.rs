//! Puts processes together that a reader would write as one.
use super::{Block, Form, Process};
use crate::verilog::ir::{Role, SignalId, Statement};
use crate::verilog::paths::{followers, Through};
use crate::verilog::signals::Scope;
use crate::verilog::usage::Usage;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One always block for the registers of a class that a step gives new values.
pub(super) fn join_clocked(processes: &mut Vec<Process>) {
    let mut joined: BTreeMap<Block, Process> = BTreeMap::new();
    processes.retain(|process| match process.form {
        Form::Clocked(block) => {
            let into = joined.entry(block).or_insert_with(|| process.clone());
            into.targets.extend(&process.targets);
            into.first = into.first.min(process.first);
            false
        }
        _ => true,
    });
    processes.extend(joined.into_values());
}

/// The process of each signal.
fn positions(processes: &[Process]) -> HashMap<SignalId, usize> {
    let targets = |(at, process): (usize, &Process)| {
        process.targets.iter().map(move |&target| (target, at)).collect::<Vec<_>>()
    };
    processes.iter().enumerate().flat_map(targets).collect()
}

/// Joins combinational processes that share a compound statement.
pub(super) fn join_compound(
    processes: &mut Vec<Process>,
    scope: &Scope,
    logic: &[Statement],
    usage: &Usage,
    through: &Through,
) {
    let mut of_signal = positions(processes);
    let follow = followers(scope, usage, through);
    for (top, statement) in logic.iter().enumerate() {
        if matches!(statement, Statement::Assign { .. } | Statement::Comment(_)) {
            continue;
        }
        let mut sharing: Vec<usize> = vec![];
        for write in usage.writes.iter().filter(|write| write.top == top) {
            let at = of_signal[&write.target.signal];
            if processes[at].form == Form::Combinational && !sharing.contains(&at) {
                sharing.push(at);
            }
        }
        let Some((&into, others)) = sharing.split_first() else { continue };
        for &other in others {
            let both: BTreeSet<SignalId> =
                processes[into].targets.union(&processes[other].targets).copied().collect();
            if makes_loop(&both, &follow, &of_signal, processes) {
                continue;
            }
            processes[into].first = processes[into].first.min(processes[other].first);
            processes[other].targets.clear();
            both.iter().for_each(|&target| {
                of_signal.insert(target, into);
            });
            processes[into].targets = both;
        }
    }
    processes.retain(|process| !process.targets.is_empty());
}

/// Joins processes that read no signal to others: an `always @*` without inputs never runs in an event simulator. The other
/// must not wait for what follows from the constants: the two blocks would wake each other up for ever, since a block
/// that runs again writes intermediate values again.
pub(super) fn join_constant(processes: &mut Vec<Process>, scope: &Scope, usage: &Usage, through: &Through) {
    let follow = followers(scope, usage, through);
    let is_constant = |signal: SignalId| matches!(scope.signals[signal].role, Role::Constant(_));
    let inputs = |process: &Process| -> BTreeSet<SignalId> {
        let own = usage.writes.iter().filter(|write| process.targets.contains(&write.target.signal));
        let read = own.flat_map(|write| write.reads.iter().map(|(place, _)| place.signal));
        read.filter(|&signal| !is_constant(signal) && !process.targets.contains(&signal)).collect()
    };
    while let Some(at) =
        processes.iter().position(|process| process.form == Form::Combinational && inputs(process).is_empty())
    {
        let constant = processes.remove(at);
        let runs = |process: &Process| process.form == Form::Combinational && !inputs(process).is_empty();
        let reads_it = |process: &Process| !inputs(process).is_disjoint(&constant.targets);
        let of_signal = positions(processes);
        let is_free = |process: &Process| {
            let both = process.targets.union(&constant.targets).copied().collect();
            !makes_loop(&both, &follow, &of_signal, processes)
        };
        let fits = |process: &Process| runs(process) && is_free(process);
        let into = processes.iter().position(|process| fits(process) && reads_it(process));
        // Where all wait for it, one of them computes it all the same: it settles if no other block has intermediate values.
        let anyone = || processes.iter().position(|process| runs(process) && reads_it(process));
        let into = into.or_else(|| processes.iter().position(fits)).or_else(anyone);
        let Some(into) = into.or_else(|| processes.iter().position(runs)) else {
            processes.push(Process { form: Form::Constant, ..constant });
            continue;
        };
        processes[into].targets.extend(constant.targets);
        processes[into].first = processes[into].first.min(constant.first);
    }
}

/// Whether a path leaves `targets` and comes back to it.
fn makes_loop(
    targets: &BTreeSet<SignalId>,
    follow: &[Vec<SignalId>],
    of_signal: &HashMap<SignalId, usize>,
    processes: &[Process],
) -> bool {
    let mut seen: BTreeSet<SignalId> = BTreeSet::new();
    let leaving = targets.iter().flat_map(|&target| &follow[target]);
    let mut open: Vec<SignalId> = leaving.copied().filter(|next| !targets.contains(next)).collect();
    while let Some(signal) = open.pop() {
        if !seen.insert(signal) {
            continue;
        }
        // A process changes as a whole.
        let whole = of_signal.get(&signal).map(|&at| &processes[at].targets);
        let siblings = whole.into_iter().flatten().copied().chain([signal]);
        for next in siblings.flat_map(|sibling| &follow[sibling]).copied() {
            if targets.contains(&next) {
                return true;
            }
            open.push(next);
        }
    }
    false
}
