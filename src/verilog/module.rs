//! One module in its final form: which signals are nets, what each process and each instance prints as.
use super::ir::{walk, Expr, ExprKind, Index, Place, Role, SignalId, Statement};
use super::print_expr::ExprPrinter;
use super::process::{register_classes, split, Form, Process, Through};
use super::select::select;
use super::signals::Scope;
use super::usage::{slice, Usage};
use super::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A genvar loop: name, first value, end.
pub(super) type GenerateLoop = (String, usize, usize);

/// A part of the module's body.
#[derive(Debug)]
pub(super) enum Item {
    Assign { comments: Vec<String>, target: Place, value: Expr },
    Generate { comments: Vec<String>, label: String, loops: Vec<GenerateLoop>, body: Vec<(Place, Expr)> },
    Combinational { label: String, scratch: Vec<SignalId>, body: Vec<Statement> },
    Clocked { clock: SignalId, label: String, body: Vec<Statement>, resets: Vec<(SignalId, Expr)> },
    Instance { child: usize, element: usize, module: String, connections: Vec<(String, String)> },
    Instances { child: usize, module: String, connections: Vec<(String, String)>, loops: Vec<GenerateLoop> },
    Text(String),
}

/// A module ready to be printed.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) scope: Scope,
    pub(super) items: Vec<Item>,
    variables: HashSet<SignalId>,
    declared: HashSet<SignalId>,
    used: HashSet<SignalId>,
    /// Vectors that are written at a dynamic index.
    written: BTreeSet<SignalId>,
    used_variants: BTreeMap<(String, usize), usize>,
    generate_names: HashMap<usize, String>,
    genvars: BTreeSet<String>,
}

impl Module {
    pub(super) fn is_variable(&self, id: SignalId) -> bool {
        self.variables.contains(&id)
    }
    pub(super) fn is_declared(&self, id: SignalId) -> bool {
        self.declared.contains(&id)
    }
    pub(super) fn is_used(&self, id: SignalId) -> bool {
        self.used.contains(&id)
    }
    /// Whether the signal's declaration asks synthesis to decode dynamic indices instead of shifting masks.
    pub(super) fn is_decoded(&self, id: SignalId) -> bool {
        self.written.contains(&id)
    }
    pub(super) fn generate_names(&self) -> HashMap<usize, String> {
        self.generate_names.clone()
    }
    pub(super) fn genvars(&self) -> Vec<String> {
        self.genvars.iter().cloned().collect()
    }
    /// Variants in use: name, number, width.
    pub(super) fn used_variants(&self) -> Vec<(String, usize, usize)> {
        let mut variants: Vec<_> = self
            .used_variants
            .iter()
            .map(|((name, number), width)| (name.clone(), *number, *width))
            .collect();
        let prefix = |name: &str| name.rsplit_once('_').map_or(String::new(), |(head, _)| head.to_owned());
        variants.sort_by_key(|(name, number, width)| (*width, prefix(name), *number));
        variants.sort_by_key(|(_, number, _)| *number);
        variants
    }

    /// Instance name of one element of a child group.
    pub(super) fn instance_name(&self, child: usize, element: usize) -> String {
        let group = &self.scope.children[child];
        if group.nodes.len() == 1 {
            group.name.clone()
        } else {
            format!("{}_{element}", group.name)
        }
    }

    /// A leaf whose body is Verilog text.
    pub(super) fn from_text(scope: Scope, text: &str) -> Self {
        let mut module =
            Self { items: vec![Item::Text(text.trim_end().to_owned())], scope, ..Self::default() };
        for (id, signal) in module.scope.signals.iter().enumerate() {
            if signal.role == Role::Output && !text.contains(&format!("assign {}", signal.name)) {
                module.variables.insert(id);
            }
            module.used.insert(id);
            if signal.role == Role::Local {
                module.declared.insert(id);
            }
        }
        module
    }

    /// A leaf whose body is Verilog text that drives its outputs as nets.
    pub(super) fn from_netlist(scope: Scope, text: &str) -> Self {
        let mut module = Self::from_text(scope, text);
        module.variables.clear();
        module
    }

    /// A module from its lowered kernel; `modules` names the module of every child, by group and element.
    pub(super) fn from_kernel(
        scope: Scope,
        kernel: Vec<Statement>,
        modules: &[Vec<String>],
        through: &Through,
    ) -> Self {
        let mut module = Self { scope, ..Self::default() };
        let (kernel, clocks) = module.take_clocks(kernel);
        let usage = Usage::new(&kernel);
        let classes = register_classes(&module.scope, &clocks);
        let processes = split(&module.scope, &kernel, &usage, &classes, through);
        let mut build =
            Build { module, usage: &usage, kernel: &kernel, ordered: vec![], alias_targets: HashSet::new() };
        build.run(processes, &classes, &clocks, modules);
        build.module
    }

    /// Takes the registers' clocks out of the kernel.
    fn take_clocks(&mut self, kernel: Vec<Statement>) -> (Vec<Statement>, HashMap<usize, SignalId>) {
        let mut clocks = HashMap::new();
        let mut errors = vec![];
        walk(&kernel, &mut |statement| {
            let Statement::Assign { target, value } = statement else { return };
            let Role::RegisterClock { register } = self.scope.signals[target.signal].role else { return };
            match &value.kind {
                ExprKind::Place(clock) if clock.indices.is_empty() && clock.part.is_none() => {
                    clocks.insert(register, clock.signal);
                }
                _ => errors.push(format!(
                    "the clock of `{}` is not a signal",
                    self.scope.signals[target.signal].path
                )),
            }
        });
        for (number, register) in self.scope.registers.iter().enumerate() {
            let path = &self.scope.signals[register.present].path;
            if !clocks.contains_key(&number) {
                errors.push(format!("register `{}` has no clock", path.trim_end_matches(".q")));
            }
            let reset = self.scope.by_path.get("reset").map(|&id| &self.scope.signals[id]);
            if register.reset.is_some()
                && reset.is_none_or(|reset| reset.width != 1 || !reset.dims.is_empty())
            {
                errors.push(format!(
                    "register `{}` needs a `reset: Signal<In, Bit>` here",
                    path.trim_end_matches(".q")
                ));
            }
        }
        self.scope.errors.extend(errors);
        let is_clock = |id: SignalId| matches!(self.scope.signals[id].role, Role::RegisterClock { .. });
        (slice(&kernel, &|id| !is_clock(id)), clocks)
    }
}

struct Build<'a> {
    module: Module,
    usage: &'a Usage<'a>,
    kernel: &'a [Statement],
    /// Items with the position they belong at.
    ordered: Vec<(usize, Item)>,
    /// Signals that a child's output drives directly.
    alias_targets: HashSet<SignalId>,
}

/// Whether `value` is another array of the same shape, element for element.
fn same_shape<'v>(scope: &Scope, target: &Place, value: &'v Expr) -> Option<&'v Place> {
    let ExprKind::Place(place) = &value.kind else { return None };
    let (to, from) = (&scope.signals[target.signal], &scope.signals[place.signal]);
    let whole = place.indices.is_empty() && target.indices.is_empty() && to.total() == from.total();
    let same = place.part.is_none()
        && target.part.is_none()
        && place.indices == target.indices
        && (whole || (to.width, &to.dims) == (from.width, &from.dims));
    same.then_some(place)
}

fn leaves(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Binary(a, _, b) => leaves(a) + leaves(b),
        ExprKind::Extend(a) | ExprKind::SignExtend(a) | ExprKind::Not(a) => leaves(a),
        ExprKind::Negate(a) | ExprKind::Reduce(_, a) => leaves(a),
        _ => 1,
    }
}

impl<'a> Build<'a> {
    fn run(
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
        // 1. outputs of children that go straight to a signal take its name
        let mut continuous: BTreeMap<SignalId, (Place, Expr)> = BTreeMap::new();
        for process in processes.iter().filter(|process| process.form == Form::Continuous) {
            for &target in &process.targets {
                let write = write_of(target);
                continuous.insert(target, (write.target.clone(), write.value.clone()));
            }
        }
        let mut aliased: HashSet<SignalId> = HashSet::new();
        for (&target, (place, value)) in &continuous {
            let role = &self.module.scope.signals[target].role;
            if !matches!(role, Role::Output | Role::Local) {
                continue;
            }
            let Some(source) = same_shape(&self.module.scope, place, value) else { continue };
            let is_child = matches!(self.module.scope.signals[source.signal].role, Role::ChildOutput { .. });
            if is_child && aliased.insert(source.signal) {
                let name = self.module.scope.signals[target].name.clone();
                self.module.scope.signals[source.signal].name = name;
                self.alias_targets.insert(target);
            }
        }
        // 2. inputs of children that need no net of their own
        let inline = self.connections(&continuous, modules);
        // 3. what is declared
        for (id, signal) in self.module.scope.signals.iter().enumerate() {
            let declared = match signal.role {
                Role::ChildInput { .. } => !inline.contains(&id),
                Role::ChildOutput { .. } => !aliased.contains(&id) && self.module.used.contains(&id),
                Role::Local | Role::Temporary => self.module.used.contains(&id) || !by_signal[id].is_empty(),
                Role::Present { .. } => true,
                _ => false,
            };
            if declared {
                self.module.declared.insert(id);
            }
        }
        // 4. processes
        self.name_genvars(&processes, &by_signal);
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
        let mut ordered = std::mem::take(&mut self.ordered);
        ordered.sort_by_key(|(position, _)| *position);
        self.module.items = merge_generates(ordered.into_iter().map(|(_, item)| item).collect());
    }

    fn note_reads(&mut self) {
        let mut used = HashSet::new();
        let mut variants = vec![];
        fn expr_variants(expr: &Expr, found: &mut Vec<(String, usize, usize)>) {
            match &expr.kind {
                ExprKind::Variant(name, number) => found.push((name.clone(), *number, expr.width)),
                ExprKind::Binary(a, _, b) => {
                    expr_variants(a, found);
                    expr_variants(b, found);
                }
                ExprKind::Extend(a) | ExprKind::SignExtend(a) | ExprKind::Not(a) => expr_variants(a, found),
                ExprKind::Negate(a) | ExprKind::Reduce(_, a) => expr_variants(a, found),
                _ => {}
            }
        }
        walk(self.kernel, &mut |statement| {
            let mut read = |expr: &Expr| {
                expr.places(&mut |place| {
                    used.insert(place.signal);
                });
                expr_variants(expr, &mut variants);
            };
            match statement {
                Statement::Assign { target, value } => {
                    read(value);
                    target.index_places(&mut |place| {
                        used.insert(place.signal);
                    });
                }
                Statement::If { test, .. } => read(test),
                Statement::Case { subject, arms } => {
                    read(subject);
                    arms.iter().filter_map(|(label, _)| label.as_ref()).for_each(read);
                }
                Statement::For { .. } | Statement::Comment(_) => {}
            }
        });
        self.module.used = used;
        self.module.used_variants =
            variants.into_iter().map(|(name, number, width)| ((name, number), width)).collect();
    }

    /// Chooses the inputs of children that are connected to an expression instead of a net.
    fn connections(
        &mut self,
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        modules: &[Vec<String>],
    ) -> HashSet<SignalId> {
        let mut inline = HashSet::new();
        for (child, group) in self.module.scope.children.iter().enumerate() {
            let uniform = modules[child].windows(2).all(|pair| pair[0] == pair[1]);
            for (_, id) in &group.ports {
                let Some((place, value)) = continuous.get(id) else { continue };
                if self.module.used.contains(id) {
                    continue;
                }
                let own_dims = self.module.scope.signals[*id].dims.len() - group.dims.len();
                let same = same_shape(&self.module.scope, place, value).is_some();
                let small = own_dims == 0 && uniform && leaves(value) <= 4;
                if same || small {
                    inline.insert(*id);
                }
            }
        }
        inline
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
        let body = slice(self.kernel, &|id| id == target);
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
        let mut body = slice(self.kernel, &|id| process.targets.contains(&id));
        body = select(&self.module.scope, body, &mut self.module.written);
        self.module.variables.extend(&process.targets);
        for &target in &process.targets {
            if matches!(self.module.scope.signals[target].role, Role::Next { .. }) {
                self.module.declared.insert(target);
            }
        }
        let named = |id: &&SignalId| self.module.scope.signals[**id].role != Role::Scratch;
        let first = process
            .targets
            .iter()
            .filter(named)
            .min_by_key(|&&id| self.usage.writes.iter().position(|write| write.target.signal == id));
        let label = self.label(&first.copied().into_iter().collect());
        let is_scratch = |id: &SignalId| self.module.scope.signals[*id].role == Role::Scratch;
        let mut scratch: Vec<SignalId> = process.targets.iter().copied().filter(is_scratch).collect();
        // Copies of one local are one variable here.
        let mut names = HashSet::new();
        scratch.retain(|&id| names.insert(self.module.scope.signals[id].name.clone()));
        self.ordered.push((process.first, Item::Combinational { label, scratch, body }));
    }

    /// One item for each class of registers: assigned in place, or loaded from their next values.
    fn clocked(
        &mut self,
        processes: &[Process],
        classes: &[usize],
        clocks: &HashMap<usize, SignalId>,
        by_signal: &[Vec<usize>],
    ) {
        let class_count = classes.iter().max().map_or(0, |last| last + 1);
        for class in 0..class_count {
            let direct = processes.iter().find(|process| process.form == Form::Clocked(class));
            let mut body = vec![];
            if let Some(process) = direct {
                body = slice(self.kernel, &|id| process.targets.contains(&id));
                body = self.without_holds(&body, by_signal, &mut HashSet::new());
                self.to_present(&mut body);
                body = select(&self.module.scope, body, &mut self.module.written);
            }
            let mut resets = vec![];
            // The block stands where the first register gets a new value, not where the holds are set up.
            let news =
                direct.iter().flat_map(|process| &process.targets).flat_map(|&target| &by_signal[target]);
            let news = news.map(|&at| &self.usage.writes[at]);
            let news = news.filter(|write| !self.is_first_hold(write.target, write.value, by_signal));
            let mut first = news.map(|write| write.position).min().or(direct.map(|process| process.first));
            let mut clock = None;
            for number in (0..classes.len()).filter(|&number| classes[number] == class) {
                let register = self.module.scope.registers[number].clone();
                let total = self.module.scope.signals[register.present].total();
                self.module.variables.insert(register.present);
                clock = clocks.get(&number).copied();
                if let Some(value) = register.reset {
                    resets.push((register.present, Expr::constant(value, total)));
                }
                if direct.is_none_or(|process| !process.targets.contains(&register.next)) {
                    let whole = |signal| Place { signal, indices: vec![], part: None };
                    let value = Expr::place(whole(register.next), total);
                    body.push(Statement::Assign { target: whole(register.present), value });
                    let at = by_signal[register.next].first().map(|&at| self.usage.writes[at].position);
                    first = first.or(at);
                }
            }
            let Some(clock) = clock else { continue };
            let label = match resets.is_empty() {
                true => "pipeline".to_owned(),
                false => "state".to_owned(),
            };
            let label = if class < 2 { label } else { format!("{label}_{class}") };
            self.ordered.push((first.unwrap_or(0), Item::Clocked { clock, label, body, resets }));
        }
    }

    /// Leaves out the first `d = q` of each register: a clocked block holds by itself.
    fn without_holds(
        &self,
        body: &[Statement],
        by_signal: &[Vec<usize>],
        left_out: &mut HashSet<SignalId>,
    ) -> Vec<Statement> {
        let mut kept = vec![];
        for statement in body {
            match statement {
                Statement::Assign { target, value }
                    if self.is_first_hold(target, value, by_signal) && left_out.insert(target.signal) => {}
                Statement::For { variable, body } => {
                    let body = self.without_holds(body, by_signal, left_out);
                    if body.iter().any(|statement| !matches!(statement, Statement::Comment(_))) {
                        kept.push(Statement::For { variable: variable.clone(), body });
                    }
                }
                _ => kept.push(statement.clone()),
            }
        }
        kept
    }

    fn is_first_hold(&self, target: &Place, value: &Expr, by_signal: &[Vec<usize>]) -> bool {
        let Role::Next { register } = self.module.scope.signals[target.signal].role else { return false };
        let present = self.module.scope.registers[register].present;
        let holds = matches!(&value.kind, ExprKind::Place(place)
            if place.signal == present && place.indices == target.indices && place.part == target.part);
        let writes: Vec<_> = by_signal[target.signal].iter().map(|&at| &self.usage.writes[at]).collect();
        let Some(first) = writes.first() else { return false };
        let shares =
            |write: &&&super::usage::Write| write.loops.iter().any(|variable| first.loops.contains(variable));
        let is_first = !first.conditional && first.target == target && first.value == value;
        holds && is_first && writes.iter().filter(shares).all(|write| write.target.indices == target.indices)
    }

    /// Assigns the registers themselves instead of their next values.
    fn to_present(&self, body: &mut [Statement]) {
        for statement in body {
            match statement {
                Statement::Assign { target, .. } => {
                    if let Role::Next { register } = self.module.scope.signals[target.signal].role {
                        target.signal = self.module.scope.registers[register].present;
                    }
                }
                Statement::If { then, otherwise, .. } => {
                    self.to_present(then);
                    self.to_present(otherwise);
                }
                Statement::Case { arms, .. } => arms.iter_mut().for_each(|(_, body)| self.to_present(body)),
                Statement::For { body, .. } => self.to_present(body),
                Statement::Comment(_) => {}
            }
        }
    }

    fn instances(
        &mut self,
        child: usize,
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
        modules: &[Vec<String>],
        by_signal: &[Vec<usize>],
    ) {
        let group = self.module.scope.children[child].clone();
        let writes = group.ports.iter().filter_map(|(_, id)| by_signal[*id].first());
        let position = writes.map(|&at| self.usage.writes[at].position).min().unwrap_or(0);
        let uniform = group.nodes.len() > 1 && modules[child].windows(2).all(|pair| pair[0] == pair[1]);
        if uniform {
            let names: Vec<String> = self.group_genvars(&group, continuous, inline);
            let loops: Vec<GenerateLoop> =
                names.iter().zip(&group.dims).map(|(name, &length)| (name.clone(), 0, length)).collect();
            self.module.genvars.extend(names.iter().cloned());
            let indices: Vec<Index> =
                names.iter().enumerate().map(|(at, name)| genvar_index(at, name, group.dims[at])).collect();
            let connections = self.connect(&group, &indices, continuous, inline);
            let module = modules[child][0].clone();
            self.ordered.push((position, Item::Instances { child, module, connections, loops }));
            return;
        }
        for (element, module) in modules[child].iter().enumerate() {
            let mut rest = element;
            let mut indices: Vec<Index> = vec![];
            for &length in group.dims.iter().rev() {
                indices.insert(0, Index::Number(rest % length));
                rest /= length;
            }
            let connections = self.connect(&group, &indices, continuous, inline);
            let item = Item::Instance { child, element, module: module.clone(), connections };
            self.ordered.push((position, item));
        }
    }

    /// Genvar names for an array of instances: those of the loop that connects it.
    fn group_genvars(
        &self,
        group: &super::signals::ChildGroup,
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
    ) -> Vec<String> {
        let mut connected = group.ports.iter().filter(|(_, id)| inline.contains(id));
        let place = connected.find_map(|(_, id)| continuous.get(id)).map(|(place, _)| place);
        let name = |at: usize| match place.and_then(|place| place.indices.get(at)) {
            Some(Index::Variable(variable)) => self.module.generate_names.get(&variable.id).cloned(),
            _ => None,
        };
        (0..group.dims.len())
            .map(|at| name(at).unwrap_or_else(|| ["gi", "gj", "gk", "gl"][at.min(3)].to_owned()))
            .collect()
    }

    /// The connections of the element at `indices`.
    fn connect(
        &mut self,
        group: &super::signals::ChildGroup,
        indices: &[Index],
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
    ) -> Vec<(String, String)> {
        let mut connections = vec![];
        for (port, id) in &group.ports {
            let signal = &self.module.scope.signals[*id];
            let own_dims = &signal.dims[group.dims.len()..];
            let chunk = own_dims.iter().product::<usize>() * signal.width;
            let slice_of = |name: &str, total: usize, variables: HashMap<usize, String>| -> String {
                let printer = ExprPrinter { scope: &self.module.scope, variables };
                let mut element = Index::Number(0);
                for (index, &length) in indices.iter().zip(&group.dims) {
                    element = element.times(length).plus(index.clone());
                }
                if chunk == total {
                    return name.to_owned();
                }
                printer.select(name, element.times(chunk), chunk)
            };
            let text = match signal.role {
                Role::ChildOutput { .. } if !self.module.used.contains(id) => String::new(),
                _ if !inline.contains(id) => slice_of(&signal.name, signal.total(), HashMap::new()),
                _ => {
                    let (place, value) = &continuous[id];
                    match same_shape(&self.module.scope, place, value) {
                        Some(source) => {
                            let from = &self.module.scope.signals[source.signal];
                            slice_of(&from.name, from.total(), HashMap::new())
                        }
                        None => self.substituted(place, value, indices),
                    }
                }
            };
            connections.push((port.clone(), text));
        }
        connections
    }

    /// `value` with the loop variables of `place` standing for `indices`.
    fn substituted(&self, place: &Place, value: &Expr, indices: &[Index]) -> String {
        let mut variables = HashMap::new();
        let mut numbers = HashMap::new();
        for (index, actual) in place.indices.iter().zip(indices) {
            if let Index::Variable(variable) = index {
                match actual {
                    Index::Variable(genvar) => {
                        variables.insert(variable.id, genvar.name.clone());
                    }
                    Index::Number(number) => {
                        numbers.insert(variable.id, *number);
                    }
                    _ => {}
                }
            }
        }
        let printer = ExprPrinter { scope: &self.module.scope, variables };
        printer.text(&value.with_numbers(&numbers))
    }
}

/// A genvar as an index.
fn genvar_index(at: usize, name: &str, length: usize) -> Index {
    let variable =
        super::ir::LoopVariable { id: usize::MAX - at, name: name.to_owned(), from: 0, to: length };
    Index::Variable(variable)
}

/// Joins generate loops that follow one another over the same range.
fn merge_generates(items: Vec<Item>) -> Vec<Item> {
    let mut merged: Vec<Item> = vec![];
    for item in items {
        if let (
            Some(Item::Generate { loops: above, body: into, .. }),
            Item::Generate { comments, loops, body, .. },
        ) = (merged.last_mut(), &item)
        {
            if above == loops && comments.is_empty() {
                into.extend(body.iter().cloned());
                continue;
            }
        }
        merged.push(item);
    }
    merged
}
