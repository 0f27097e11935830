//! Splits a module's logic into processes: what must stay in one always block, what can stand alone.
//!
//! A module's logic is one sequence of statements. A signal that reads another one's *final* value can be computed in a
//! process of its own; one that reads an intermediate value must stay in its sequence. Whatever is split further
//! than a reader would write it is put together again where the same `if`, `case` or loop drives several signals,
//! as long as that makes no loop through a child block.
use super::ir::{Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::usage::{Usage, Write};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The clocked block of a register: its class, and the step of the logic that gives it new values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) class: usize,
    pub(super) step: usize,
}

impl Block {
    /// The block of the register `number`, whose next value is written at `writes`.
    pub(super) fn new(
        scope: &Scope,
        usage: &Usage,
        classes: &[usize],
        number: usize,
        writes: &[usize],
    ) -> Self {
        let mut writes = writes.iter().map(|&at| &usage.writes[at]).peekable();
        let first = writes.peek().map_or(0, |write| write.step);
        let step =
            writes.find(|write| !scope.is_hold(write.target, write.value)).map_or(first, |write| write.step);
        Self { class: classes[number], step }
    }
}

/// How the signals of one process are driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// One unconditional assignment.
    Continuous,
    /// `always @*`.
    Combinational,
    /// `always @*` in a module where nothing changes.
    Constant,
    /// Next values of registers, assigned in the clocked block itself.
    Clocked(Block),
}

/// Signals that are driven together.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) form: Form,
    pub(super) targets: BTreeSet<SignalId>,
    /// Position of the first assignment.
    pub(super) first: usize,
}

struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Whether a read of `place` at `position` inside `reader` sees the value that is left in the end.
fn reads_final(place: &Place, position: usize, reader: &Write, usage: &Usage, writes: &[usize]) -> bool {
    writes.iter().map(|&at| &usage.writes[at]).all(|write| {
        if write.position >= position {
            return false;
        }
        // In a common loop the write comes again, after the read: unless it is to another element.
        let common: Vec<_> = write.loops.iter().filter(|variable| reader.loops.contains(variable)).collect();
        let mut variables = vec![];
        write.target.indices.iter().for_each(|index| index.variables(&mut variables));
        common.is_empty()
            || (write.target.indices == place.indices
                && common.iter().all(|variable| variables.contains(variable)))
    })
}

/// Register classes: registers of one class share an always block.
pub(super) fn register_classes(scope: &Scope, clocks: &HashMap<usize, SignalId>) -> Vec<usize> {
    let mut classes: Vec<(Option<SignalId>, bool)> = vec![];
    let mut of = vec![];
    for (number, register) in scope.registers.iter().enumerate() {
        let key = (clocks.get(&number).copied(), register.reset.is_some());
        let class = classes.iter().position(|class| *class == key).unwrap_or_else(|| {
            classes.push(key);
            classes.len() - 1
        });
        of.push(class);
    }
    of
}

/// Combinational paths through the children: for each signal of a child's input the outputs that follow it.
pub(super) type Through = HashMap<SignalId, Vec<SignalId>>;

/// Splits `logic` into processes, in the order of their first assignments.
pub(super) fn split(
    scope: &Scope,
    logic: &[Statement],
    usage: &Usage,
    classes: &[usize],
    through: &Through,
) -> Vec<Process> {
    let count = scope.signals.len();
    let by_signal = usage.by_signal(count);
    let mut union = Union((0..count).collect());
    let mut is_read = vec![false; count];
    for write in &usage.writes {
        for (place, position) in &write.reads {
            let (read, target) = (place.signal, write.target.signal);
            is_read[read] |= read != target;
            let final_value = scope.signals[read].role != Role::Scratch
                && reads_final(place, *position, write, usage, &by_signal[read]);
            if read != target && !final_value {
                union.join(read, target);
            }
        }
    }
    join_cycles(&mut union, usage, &by_signal);
    let mut groups: BTreeMap<usize, BTreeSet<SignalId>> = BTreeMap::new();
    for signal in (0..count).filter(|&signal| !by_signal[signal].is_empty()) {
        groups.entry(union.root(signal)).or_default().insert(signal);
    }
    let mut processes: Vec<Process> = groups
        .into_values()
        .map(|targets| {
            let first = targets.iter().filter_map(|&target| by_signal[target].first());
            let first = first.map(|&at| usage.writes[at].position).min().unwrap_or(0);
            Process { form: form(scope, usage, &by_signal, &is_read, classes, &targets), targets, first }
        })
        .collect();
    join_clocked(&mut processes);
    processes.sort_by_key(|process| process.first);
    join_compound(&mut processes, scope, logic, usage, through);
    join_constant(&mut processes, scope, usage, through);
    processes.sort_by_key(|process| process.first);
    processes
}

/// Joins groups of signals that depend on one another in a circle: as processes they would wake each other up.
fn join_cycles(union: &mut Union, usage: &Usage, by_signal: &[Vec<usize>]) {
    let mut follow = DiGraphMap::new();
    for write in &usage.writes {
        let to = union.root(write.target.signal);
        for (place, _) in write.reads.iter().filter(|(place, _)| !by_signal[place.signal].is_empty()) {
            let from = union.root(place.signal);
            if from != to {
                follow.add_edge(from, to, ());
            }
        }
    }
    for circle in tarjan_scc(&follow) {
        circle.windows(2).for_each(|pair| union.join(pair[0], pair[1]));
    }
}

fn form(
    scope: &Scope,
    usage: &Usage,
    by_signal: &[Vec<usize>],
    is_read: &[bool],
    classes: &[usize],
    targets: &BTreeSet<SignalId>,
) -> Form {
    let register = |signal: &SignalId| match scope.signals[*signal].role {
        Role::Next { register } if !is_read[*signal] => Some(register),
        _ => None,
    };
    let reads_itself = |signal: &SignalId| {
        let mut writes = by_signal[*signal].iter().map(|&at| &usage.writes[at]);
        writes.any(|write| write.reads.iter().any(|(place, _)| place.signal == *signal))
    };
    let Some(only) = targets.first().filter(|_| targets.len() == 1) else {
        return Form::Combinational;
    };
    if let Some(register) = register(only) {
        if !reads_itself(only) {
            return Form::Clocked(Block::new(scope, usage, classes, register, &by_signal[*only]));
        }
    }
    match by_signal[*only].as_slice() {
        [write] if usage.writes[*write].is_whole(&scope.signals[*only].dims) && !reads_itself(only) => {
            Form::Continuous
        }
        _ => Form::Combinational,
    }
}

/// One always block for the registers of a class that a step gives new values.
fn join_clocked(processes: &mut Vec<Process>) {
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

/// Edges from each signal to the signals that depend on it.
fn followers(scope: &Scope, usage: &Usage, through: &Through) -> Vec<Vec<SignalId>> {
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

/// Joins combinational processes that share a compound statement.
fn join_compound(
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
fn join_constant(processes: &mut Vec<Process>, scope: &Scope, usage: &Usage, through: &Through) {
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
