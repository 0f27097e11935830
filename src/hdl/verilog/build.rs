//! Chooses the form of each process: assignment, generate loop, always block.
use super::adjacent::together;
use super::dead::without_dead;
use super::ir::{Expr, ExprKind, Index, Place, Role, Signal, SignalId, Statement};
use super::module::{GenerateLoop, Item, Module};
use super::process::{Form, Process};
use super::select::select;
use super::signals::Scope;
use super::steps::{arrange, merge_generates};
use super::usage::{slice, Usage};
use super::value::Value;
use super::walk::{reads, walk};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A module under construction.
pub(super) struct Build<'a> {
    pub(super) module: Module,
    pub(super) usage: &'a Usage<'a>,
    pub(super) logic: &'a [Statement],
    /// Items with the position they belong at.
    pub(super) ordered: Vec<(usize, Item)>,
    /// Signals that a child's output drives directly.
    pub(super) alias_targets: HashSet<SignalId>,
    /// Ports of children that a statement connects, with its step.
    pub(super) connected: HashMap<SignalId, usize>,
}

/// Whether `value` is another array of the same shape, element for element.
pub(super) fn same_shape<'v>(scope: &Scope, target: &Place, value: &'v Expr) -> Option<&'v Place> {
    let ExprKind::Place(place) = &value.kind else { return None };
    let (to, from) = (&scope.signals[target.signal], &scope.signals[place.signal]);
    let whole = place.indices.is_empty() && target.indices.is_empty() && to.total() == from.total();
    let same = place.part.is_none()
        && target.part.is_none()
        && (whole || (to.width, shape(to, target)) == (from.width, shape(from, place)));
    same.then_some(place)
}

/// The dimensions of a signal that have more than one element, each with the index at a place.
fn shape<'a>(signal: &'a Signal, place: &'a Place) -> Vec<(usize, Option<&'a Index>)> {
    let indices = place.indices.iter().map(Some).chain(std::iter::repeat(None));
    signal.dims.iter().copied().zip(indices).filter(|(length, _)| *length > 1).collect()
}

impl<'a> Build<'a> {
    pub(super) fn run(
        &mut self,
        processes: Vec<Process>,
        classes: &[usize],
        clocks: &HashMap<usize, SignalId>,
        modules: &[Vec<String>],
    ) {
        self.note_reads();
        let by_signal = self.usage.by_signal(self.module.scope.signals.len());
        let write_of =
            |signal: SignalId| -> &super::usage::Write<'a> { &self.usage.writes[by_signal[signal][0]] };
        // 1. outputs of children that go straight to a signal, and nowhere else or under the same name, take its name
        let readers = self.readers();
        let mut continuous: BTreeMap<SignalId, (Place, Expr)> = BTreeMap::new();
        for process in processes.iter().filter(|process| process.form == Form::Continuous) {
            for &target in &process.targets {
                let write = write_of(target);
                continuous.insert(target, (write.target.clone(), write.value.clone()));
            }
        }
        let shown = self.registers_as_outputs(&continuous);
        let mut aliased: HashSet<SignalId> = shown.keys().copied().collect();
        for (&target, (place, value)) in &continuous {
            let role = &self.module.scope.signals[target].role;
            if !matches!(role, Role::Output | Role::Local) {
                continue;
            }
            let Some(source) = same_shape(&self.module.scope, place, value) else { continue };
            let Role::ChildOutput { child, port } = self.module.scope.signals[source.signal].role else {
                continue;
            };
            let name = self.module.scope.signals[target].name.clone();
            let alone = readers.get(&source.signal) == Some(&1);
            let namesake = self.module.scope.children[child].ports[port].0 == name;
            if (alone || namesake) && aliased.insert(source.signal) {
                self.module.scope.signals[source.signal].name = name;
                self.alias_targets.insert(target);
                self.connected.insert(source.signal, write_of(target).step);
            }
        }
        // 2. inputs of children that need no net of their own
        let inline = self.connections(&continuous, modules);
        self.connected.extend(inline.iter().map(|&port| (port, write_of(port).step)));
        // 3. what is declared
        for (id, signal) in self.module.scope.signals.iter().enumerate() {
            let declared = match signal.role {
                Role::ChildInput { .. } => !inline.contains(&id),
                Role::ChildOutput { .. } => !aliased.contains(&id) && self.module.used.contains(&id),
                Role::Local | Role::Temporary => self.module.used.contains(&id) || !by_signal[id].is_empty(),
                Role::Present { register } => {
                    let next = self.module.scope.registers[register].next;
                    !aliased.contains(&id) && !by_signal[next].is_empty()
                }
                _ => false,
            };
            if declared {
                self.module.declared.insert(id);
            }
        }
        // 4. processes
        self.name_genvars(&processes, &by_signal);
        // Scratch is there for the block that it is in: alone it is the default of what has gone.
        let is_scratch = |id: &SignalId| self.module.scope.signals[*id].role == Role::Scratch;
        let alone = |process: &&Process| process.targets.iter().all(is_scratch);
        let processes: Vec<Process> = processes.iter().filter(|process| !alone(process)).cloned().collect();
        for process in &processes {
            match process.form {
                Form::Continuous => self.continuous(process, &continuous, &inline),
                Form::Combinational | Form::Constant => self.combinational(process),
                Form::Clocked(_) => {}
            }
        }
        self.clocked(&processes, classes, clocks, &by_signal);
        // 5. instances, at the first statement that concerns them
        for child in 0..self.module.scope.children.len() {
            self.instances(child, &continuous, &inline, modules, &by_signal);
        }
        let written = |(register, output): (SignalId, SignalId)| {
            self.module.written.contains(&register).then_some(output)
        };
        let outputs: Vec<SignalId> = shown.into_iter().filter_map(written).collect();
        self.module.written.extend(outputs);
        self.module.items = merge_generates(arrange(std::mem::take(&mut self.ordered), self.usage));
    }

    /// Registers with the output that shows each, which declares it; a second output of the same has a wire to that.
    fn registers_as_outputs(
        &mut self,
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
    ) -> HashMap<SignalId, SignalId> {
        let mut shown = HashMap::new();
        for (&target, (place, value)) in continuous {
            let scope = &self.module.scope;
            let Some(source) = same_shape(scope, place, value).map(|source| source.signal) else { continue };
            let kept = matches!(scope.signals[source].role, Role::Present { .. });
            if scope.signals[target].role == Role::Output && kept && !shown.contains_key(&source) {
                shown.insert(source, target);
                self.module.scope.show(source, target);
                self.module.variables.insert(target);
                self.alias_targets.insert(target);
            }
        }
        shown
    }

    /// How many statements read each signal.
    fn readers(&self) -> HashMap<SignalId, usize> {
        let mut readers = HashMap::new();
        walk(self.logic, &mut |statement| {
            let mut read = HashSet::new();
            reads(statement, &mut |place| {
                read.insert(place.signal);
            });
            read.into_iter().for_each(|signal| *readers.entry(signal).or_default() += 1);
        });
        readers
    }

    fn note_reads(&mut self) {
        fn variants(expr: &Expr, found: &mut BTreeMap<(String, usize), usize>) {
            if let ExprKind::Variant(name, number) = &expr.kind {
                found.insert((name.clone(), *number), expr.width);
            }
            expr.operands().for_each(|inner| variants(inner, found));
        }
        let Module { used, used_variants, .. } = &mut self.module;
        walk(self.logic, &mut |statement| {
            reads(statement, &mut |place| {
                used.insert(place.signal);
            });
            statement.expressions().into_iter().for_each(|expr| variants(expr, used_variants));
        });
    }

    /// Genvars for the loops of continuous assignments; they must not hide, or be hidden by, procedural ones.
    fn name_genvars(&mut self, processes: &[Process], by_signal: &[Vec<usize>]) {
        let mut procedural = HashSet::new();
        for process in processes.iter().filter(|process| process.form != Form::Continuous) {
            for &at in process.targets.iter().flat_map(|&target| &by_signal[target]) {
                procedural.extend(self.usage.writes[at].loops.iter().map(|variable| variable.name.clone()));
            }
        }
        for process in processes.iter().filter(|process| process.form == Form::Continuous) {
            for &at in process.targets.iter().flat_map(|&target| &by_signal[target]) {
                for variable in &self.usage.writes[at].loops {
                    let name = match procedural.contains(&variable.name) {
                        true if variable.name.len() == 1 => format!("g{}", variable.name),
                        true => format!("g_{}", variable.name),
                        false => variable.name.clone(),
                    };
                    self.module.generate_names.insert(variable.id, name);
                }
            }
        }
    }

    fn comments(&self, target: SignalId) -> Vec<String> {
        let body = slice(self.logic, &|id| id == target);
        let mut found = vec![];
        walk(&body, &mut |statement| {
            if let Statement::Comment(text) = statement {
                found.push(text.clone());
            }
        });
        found
    }

    fn continuous(
        &mut self,
        process: &Process,
        all: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
    ) {
        let Some(&target) = process.targets.first() else { return };
        if inline.contains(&target) || self.alias_targets.contains(&target) {
            return;
        }
        let (place, value) = all[&target].clone();
        let comments = self.comments(target);
        let whole = Place { signal: target, indices: vec![], part: None };
        let signal = &self.module.scope.signals[target];
        let mut variables = vec![];
        place.indices.iter().for_each(|index| index.variables(&mut variables));
        if variables.is_empty() {
            self.ordered.push((process.first, Item::Assign { comments, target: place, value }));
            return;
        }
        if let Some(source) = same_shape(&self.module.scope, &place, &value) {
            let value =
                Expr::place(Place { signal: source.signal, indices: vec![], part: None }, signal.total());
            self.ordered.push((process.first, Item::Assign { comments, target: whole, value }));
            return;
        }
        if value.kind == ExprKind::Constant(Value::default()) {
            let value = Expr::constant(0, signal.total());
            self.ordered.push((process.first, Item::Assign { comments, target: whole, value }));
            return;
        }
        let loops: Vec<GenerateLoop> = variables
            .iter()
            .map(|variable| (self.module.generate_names[&variable.id].clone(), variable.from, variable.to))
            .collect();
        self.module.genvars.extend(loops.iter().map(|(name, ..)| name.clone()));
        let label = format!("{}_each", signal.name);
        self.ordered
            .push((process.first, Item::Generate { comments, label, loops, body: vec![(place, value)] }));
    }

    fn label(&self, targets: &BTreeSet<SignalId>) -> String {
        let first = targets
            .iter()
            .map(|&id| &self.module.scope.signals[id])
            .find(|signal| !matches!(signal.role, Role::Temporary | Role::Scratch));
        format!("{}_logic", first.map_or("", |signal| signal.name.as_str()))
    }

    fn combinational(&mut self, process: &Process) {
        let mut body = slice(self.logic, &|id| process.targets.contains(&id));
        body = together(&self.module.scope, select(&self.module.scope, body, &mut self.module.written));
        body = without_dead(&self.module.scope, body);
        for &target in &process.targets {
            if matches!(self.module.scope.signals[target].role, Role::Next { .. }) {
                self.module.declared.insert(target);
            }
        }
        let first = self.first_news(&process.targets).unwrap_or(process.first);
        if let Some(mut items) = plain_assigns(&body) {
            let is_scratch = |id: SignalId| self.module.scope.signals[id].role == Role::Scratch;
            items.retain(|item| !matches!(item, Item::Assign { target, .. } if is_scratch(target.signal)));
            self.ordered.extend(items.into_iter().map(|item| (first, item)));
            return;
        }
        self.module.variables.extend(&process.targets);
        let named = |id: &&SignalId| self.module.scope.signals[**id].role != Role::Scratch;
        let named = process
            .targets
            .iter()
            .filter(named)
            .min_by_key(|&&id| self.usage.writes.iter().position(|write| write.target.signal == id));
        let label = self.label(&named.copied().into_iter().collect());
        let is_scratch = |id: &SignalId| self.module.scope.signals[*id].role == Role::Scratch;
        let mut scratch: Vec<SignalId> = process.targets.iter().copied().filter(is_scratch).collect();
        // Copies of one local are one variable here.
        let mut names = HashSet::new();
        scratch.retain(|&id| names.insert(self.module.scope.signals[id].name.clone()));
        self.ordered.push((first, Item::Combinational { label, scratch, body }));
    }

    /// Where signals first get more than what they are set up with: a register's own value, or a constant.
    fn first_news(&self, targets: &BTreeSet<SignalId>) -> Option<usize> {
        let is_constant = |value: &Expr| matches!(value.kind, ExprKind::Constant(_) | ExprKind::Variant(..));
        let scope = &self.module.scope;
        let news = self.usage.writes.iter().filter(|write| {
            let set_up = !write.conditional && is_constant(write.value);
            targets.contains(&write.target.signal) && !set_up && !scope.is_hold(write.target, write.value)
        });
        news.map(|write| write.position).min()
    }
}

/// The body as continuous assignments, if it turned out to hold nothing else: of whole signals, or of elements of arrays,
/// each once.
fn plain_assigns(body: &[Statement]) -> Option<Vec<Item>> {
    let (mut items, mut comments) = (vec![], vec![]);
    let (mut targets, mut read) = (BTreeSet::new(), BTreeSet::new());
    let mut elements: HashMap<SignalId, HashSet<Vec<usize>>> = HashMap::new();
    for statement in body {
        match statement {
            Statement::Comment(text) => comments.push(text.clone()),
            Statement::Assign { target, value } if target.part.is_none() => {
                let element = |index: &Index| match index {
                    Index::Number(number) => Some(*number),
                    _ => None,
                };
                let indices = target.indices.iter().map(element).collect::<Option<Vec<_>>>()?;
                let others = elements.entry(target.signal).or_default();
                // A whole array meets each of its elements.
                let meets_all = others.iter().any(|other| other.len() != indices.len());
                if meets_all || !others.insert(indices) {
                    return None;
                }
                targets.insert(target.signal);
                value.places(&mut |place| {
                    read.insert(place.signal);
                });
                let comments = std::mem::take(&mut comments);
                items.push(Item::Assign { comments, target: target.clone(), value: value.clone() });
            }
            _ => return None,
        }
    }
    targets.is_disjoint(&read).then_some(items)
}
