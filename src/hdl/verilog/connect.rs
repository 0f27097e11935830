//! Instances of child blocks: what their ports are connected to, one by one or in a generate loop.
use super::build::{same_shape, Build};
use super::ir::{Expr, ExprKind, Index, LoopVariable, Place, Role, SignalId};
use super::module::{Connection, Connections, GenerateLoop, Item};
use super::print_expr::ExprPrinter;
use super::signals::ChildGroup;
use super::value::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

fn leaves(expr: &Expr) -> usize {
    expr.operands().map(leaves).sum::<usize>().max(1)
}

fn is_zero(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Constant(number) if *number == Value::default())
}

impl Build<'_> {
    /// Chooses the inputs of children that are connected to an expression instead of a net.
    pub(super) fn connections(
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
                // A vector over all instances is no port's value, except that each has its zeros.
                let each = place.indices.len() == group.dims.len() || is_zero(value);
                let small = own_dims == 0 && uniform && each && leaves(value) <= 4;
                let for_all = uniform && self.for_all(group, place, value).is_some();
                if same || small || for_all {
                    inline.insert(*id);
                }
            }
        }
        inline
    }

    pub(super) fn instances(
        &mut self,
        child: usize,
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
        modules: &[Vec<String>],
        by_signal: &[Vec<usize>],
    ) {
        let group = self.module.scope.children[child].clone();
        let (position, comments) = self.place_of(&group, by_signal);
        let uniform = group.nodes.len() > 1 && modules[child].windows(2).all(|pair| pair[0] == pair[1]);
        if uniform {
            let names: Vec<String> = self.group_genvars(&group, continuous, inline);
            let sized = || names.iter().zip(group.dims.iter().copied());
            let loops: Vec<GenerateLoop> = sized()
                .filter(|&(_, length)| length > 1)
                .map(|(name, length)| (name.clone(), 0, length))
                .collect();
            self.module.genvars.extend(loops.iter().map(|(name, ..)| name.clone()));
            let indices: Vec<Index> =
                sized().enumerate().map(|(at, (name, length))| genvar_index(at, name, length)).collect();
            let connections = self.connect(&group, &indices, continuous, inline);
            let module = modules[child][0].clone();
            self.ordered.push((position, Item::Instances { comments, child, module, connections, loops }));
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
            let (comments, module) = (comments.clone(), module.clone());
            let item = Item::Instance { comments, child, element, module, connections };
            self.ordered.push((position, item));
        }
    }

    /// Where an instance stands: in the first section that says a quarter of its inputs or more, at the first of them; and
    /// that section's comments.
    fn place_of(&self, group: &ChildGroup, by_signal: &[Vec<usize>]) -> (usize, Vec<String>) {
        let none = vec![];
        let mut by_section: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in group.ports.iter().filter_map(|(_, id)| by_signal[*id].first()) {
            let write = &self.usage.writes[*at];
            by_section.entry(write.section).or_default().push(write.position);
        }
        let all: usize = by_section.values().map(Vec::len).sum();
        let main = by_section.iter().find(|(_, positions)| 4 * positions.len() >= all);
        let (section, positions) = main.or(by_section.iter().next()).unwrap_or((&0, &none));
        let comments = self.usage.sections[*section].iter().map(|&text| text.to_owned()).collect();
        (positions.iter().copied().min().unwrap_or(0), comments)
    }

    /// Genvar names for an array of instances: those of the loop that connects it, each once.
    fn group_genvars(
        &self,
        group: &ChildGroup,
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
    ) -> Vec<String> {
        let mut connected = group.ports.iter().filter(|(_, id)| inline.contains(id));
        let place = connected.find_map(|(_, id)| continuous.get(id)).map(|(place, _)| place);
        let name = |at: usize| match place.and_then(|place| place.indices.get(at)) {
            Some(Index::Variable(variable)) => self.module.generate_names.get(&variable.id).cloned(),
            _ => None,
        };
        let mut names: Vec<String> = vec![];
        for (at, length) in group.dims.iter().enumerate() {
            let letters = ["gi", "gj", "gk", "gl"].into_iter().map(str::to_owned);
            let mut free = name(at).into_iter().chain(letters).filter(|name| !names.contains(name));
            // A single element has no loop.
            let name = free.next().filter(|_| *length > 1);
            names.push(name.unwrap_or_default());
        }
        names
    }

    /// The connections of the element at `indices`.
    fn connect(
        &mut self,
        group: &ChildGroup,
        indices: &[Index],
        continuous: &BTreeMap<SignalId, (Place, Expr)>,
        inline: &HashSet<SignalId>,
    ) -> Connections {
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
                        None if is_zero(value) => Value::default().sized(chunk),
                        None if let Some(source) = self.for_all(group, place, value) => {
                            self.module.scope.signals[source.signal].name.clone()
                        }
                        None => self.substituted(place, value, indices),
                    }
                }
            };
            let step = self.connected.get(id).copied();
            connections.push(Connection { port: port.clone(), value: text, step, comment: None });
        }
        connections
    }

    /// The array that `value` is, if it is the whole port of each instance.
    fn for_all<'v>(&self, group: &ChildGroup, place: &Place, value: &'v Expr) -> Option<&'v Place> {
        let ExprKind::Place(source) = &value.kind else { return None };
        let (to, from) =
            (&self.module.scope.signals[place.signal], &self.module.scope.signals[source.signal]);
        let instances = group.dims.len();
        let own = to.dims[instances..].iter().product::<usize>() * to.width;
        let whole = place.part.is_none() && place.indices.len() == instances && source.part.is_none();
        (whole && to.width == from.width && own == from.total()).then_some(source)
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

/// A genvar as an index; of a single element it is 0.
fn genvar_index(at: usize, name: &str, length: usize) -> Index {
    if length == 1 {
        return Index::Number(0);
    }
    let variable = LoopVariable { id: usize::MAX - at, name: name.to_owned(), from: 0, to: length };
    Index::Variable(variable)
}
