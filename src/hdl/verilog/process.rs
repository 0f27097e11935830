//! Splits a module's logic into processes: what must stay in one always block, what can stand alone.
//!
//! A module's logic is one sequence of statements. A signal that reads another one's *final* value can be computed in a
//! process of its own; one that reads an intermediate value must stay in its sequence. Whatever is split further
//! than a reader would write it is put together again where the same `if`, `case` or loop drives several signals,
//! as long as that makes no loop through a child block.
mod join;

use join::{join_clocked, join_compound, join_constant};

use super::ir::{Place, Role, SignalId, Statement};
use super::paths::Through;
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
