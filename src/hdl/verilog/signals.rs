//! The signals of a module: arrays regrouped, widths and names settled, children's ports and registers included.
use super::groups::{group, shape, Group};
use super::ir::{Expr, ExprKind, Place, Role, Signal, SignalId};
use super::names::{is_keyword, joined, net_name, upper_snake};
use super::node::{rust_path, Atom, Kind, Node, Segment};
use super::value::Value;
use crate::cell::RESET_VALUE;
use foldhash::{HashMap, HashMapExt};

/// Children of one field: one block, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct ChildGroup {
    /// Name of the instance, or of the generate block that holds an array's.
    pub(super) name: String,
    /// Name of each instance of an array, inside its generate block.
    pub(super) instance: String,
    pub(super) dims: Vec<usize>,
    /// The elements, as positions in `Node::children`.
    pub(super) nodes: Vec<usize>,
    /// For each port its name in the child and the signal here that it is connected to.
    pub(super) ports: Vec<(String, SignalId)>,
}

/// Registers of one field: one, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) next: SignalId,
    pub(super) present: SignalId,
    /// Values after reset, lowest element first, as one number; `None` for a register without reset.
    pub(super) reset: Option<Value>,
}

/// What the expressions of a module can name.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) signals: Vec<Signal>,
    pub(super) children: Vec<ChildGroup>,
    pub(super) registers: Vec<Register>,
    /// Signals by their Rust names, joined with dots, array indices left out.
    pub(super) by_path: HashMap<String, SignalId>,
    /// Variants by `Type$Variant`: name of the `localparam`, number, width.
    pub(super) variants: HashMap<String, (String, usize, usize)>,
    pub(super) errors: Vec<String>,
}

impl Scope {
    /// Gives a register's present value, and its next one if that has a name like it, the name of an output.
    pub(super) fn show(&mut self, present: SignalId, output: SignalId) {
        let Role::Present { register } = self.signals[present].role else { return };
        let next = self.registers[register].next;
        let name = self.signals[output].name.clone();
        let next_name = format!("{name}_next");
        if self.signals.iter().all(|signal| signal.name != next_name) {
            self.signals[next].name = next_name;
        }
        self.signals[present].name = name;
    }

    /// The scope of `node`'s logic.
    pub(super) fn new(node: &Node) -> Self {
        let mut scope = Self::default();
        let mut errors = vec![];
        for group in group(node.atoms.iter(), |atom| &atom.path, &mut errors) {
            scope.add_atoms(&group, &[], &[], None);
        }
        let registers = node.children.iter().filter(|child| child.register);
        for group in group(registers, |child| &child.path, &mut errors) {
            scope.add_register(&group);
        }
        let blocks = node.children.iter().enumerate().filter(|(_, child)| !child.register);
        for group in group(blocks, |(_, child)| &child.path, &mut errors) {
            scope.add_children(&group, &mut errors);
        }
        scope.errors.extend(errors);
        scope.check_names();
        scope
    }

    fn add(&mut self, signal: Signal) -> SignalId {
        let id = self.signals.len();
        self.by_path.insert(signal.path.clone(), id);
        self.signals.push(signal);
        id
    }

    /// Adds a signal that stands for `group`, below the children or registers `outer` of shape `dims`.
    fn add_atoms(
        &mut self,
        group: &Group<&Atom>,
        outer: &[&str],
        dims: &[usize],
        role: Option<Role>,
    ) -> SignalId {
        let names: Vec<&str> = outer.iter().chain(&group.names).copied().collect();
        let path = names.join(".");
        let first = group.elements[0];
        if group.elements.iter().any(|atom| (atom.width, atom.signed) != (first.width, first.signed)) {
            self.errors.push(format!("elements of array `{path}` differ in width"));
        }
        if first.width > first.bits {
            self.errors.push(format!(
                "`{path}` is configured {} bits wide, its type has {}",
                first.width, first.bits
            ));
        }
        for variants in &first.enums {
            self.add_variants(variants);
        }
        let mut value = Value::default();
        if first.kind == Kind::Constant {
            for (at, atom) in group.elements.iter().enumerate() {
                if !atom.negative && atom.value.bit_len() > atom.width {
                    self.errors.push(format!(
                        "constant `{}` does not fit in {} bits",
                        rust_path(&atom.path),
                        atom.width
                    ));
                }
                let bits = if atom.negative { atom.value.negated(atom.width) } else { atom.value.clone() };
                value = value.with_above(&bits.cut(atom.width), at * first.width);
            }
        }
        let role = role.unwrap_or(match first.kind {
            Kind::In => Role::Input,
            Kind::Out => Role::Output,
            Kind::Constant => Role::Constant(value),
            Kind::Local => Role::Local,
            Kind::Unsupported => {
                self.errors.push(format!("`{path}`: tri-state signals are not supported"));
                Role::Local
            }
        });
        let name = match &role {
            Role::Constant(_) => upper_snake(&joined(&names)),
            Role::Next { .. } => format!("{}_next", joined(outer)),
            Role::Present { .. } => joined(outer),
            Role::ChildInput { .. } | Role::ChildOutput { .. } => net_name(outer, &group.names),
            _ => joined(&names),
        };
        self.add(Signal {
            path,
            name,
            dims: dims.iter().chain(&group.dims).copied().collect(),
            width: first.width,
            signed: first.signed,
            backward: first.backward,
            reset: first.reset,
            description: first.description.clone(),
            group: first.group.clone(),
            role,
        })
    }

    fn add_variants(&mut self, variants: &[String]) {
        let mut width = 1;
        while 1 << width < variants.len() {
            width += 1;
        }
        for (number, variant) in variants.iter().enumerate() {
            let name = variant.split("::").map(upper_snake).collect::<Vec<_>>().join("_");
            self.variants.insert(variant.replace("::", "$"), (name, number, width));
        }
    }

    fn add_register(&mut self, group: &Group<&Node>) {
        let register = self.registers.len();
        let mut errors = vec![];
        let mut ids = HashMap::new();
        let first = group.elements[0];
        for atoms in super::signals::group(first.atoms.iter(), |atom| &atom.path, &mut errors) {
            let role = match atoms.names[0] {
                "clock" => Role::RegisterClock { register },
                "d" => Role::Next { register },
                "q" => Role::Present { register },
                _ => continue,
            };
            ids.insert(atoms.names[0], self.add_atoms(&atoms, &group.names, &group.dims, Some(role)));
        }
        let mut reset = None;
        for (at, node) in group.elements.iter().enumerate() {
            let value = |atom: &&Atom| atom.path == [Segment::Name(RESET_VALUE.into())];
            if let Some(atom) = node.atoms.iter().find(value) {
                if atom.value.bit_len() > atom.width {
                    self.errors.push(format!("reset value of `{}` does not fit", node.rust_path()));
                }
                let below: Value = reset.take().unwrap_or_default();
                reset = Some(below.with_above(&atom.value.clone().cut(atom.width), at * atom.width));
            }
        }
        let id = |name: &str| ids.get(name).copied().unwrap_or_default();
        self.registers.push(Register { next: id("d"), present: id("q"), reset });
    }

    /// Adds the children `group`, each given with its position among all.
    fn add_children(&mut self, group: &Group<(usize, &Node)>, errors: &mut Vec<String>) {
        let child = self.children.len();
        let (_, first) = group.elements[0];
        if !group.elements.iter().all(|(_, node)| shape(node).eq(shape(first))) {
            errors.push(format!("blocks of array `{}` differ in their ports", group.names.join(".")));
        }
        let mut ports = vec![];
        for atoms in super::signals::group(first.atoms.iter(), |atom| &atom.path, errors) {
            let port = ports.len();
            let role = match atoms.elements[0].kind {
                Kind::In => Role::ChildInput { child, port },
                Kind::Out => Role::ChildOutput { child, port },
                _ => continue,
            };
            let id = self.add_atoms(&atoms, &group.names, &group.dims, Some(role));
            ports.push((joined(&atoms.names), id));
        }
        self.children.push(ChildGroup {
            name: group.names.join("_"),
            instance: "unit".to_owned(),
            dims: group.dims.clone(),
            nodes: group.elements.iter().map(|(position, _)| *position).collect(),
            ports,
        });
    }

    /// Whether `signal` is the port of a part, or the clock of a register, that `suffix` names.
    pub(super) fn is_part_port(&self, signal: &Signal, suffix: &str) -> bool {
        match signal.role {
            Role::ChildInput { child, port } => self.children[child].ports[port].0 == suffix[1..],
            _ => signal.path.ends_with(suffix),
        }
    }

    /// Whether an assignment keeps a register's value.
    pub(super) fn is_hold(&self, target: &Place, value: &Expr) -> bool {
        let Role::Next { register } = self.signals[target.signal].role else { return false };
        matches!(&value.kind, ExprKind::Place(place) if place.signal == self.registers[register].present
            && place.indices == target.indices && place.part == target.part)
    }

    /// Names that the author gave must differ and be legal; nets between blocks give way.
    fn check_names(&mut self) {
        let mut seen: HashMap<String, String> = HashMap::new();
        let mut errors = vec![];
        for child in &self.children {
            if is_keyword(&child.name) {
                errors.push(format!("`{}` is a Verilog keyword; rename the block", child.name));
            }
            seen.insert(child.name.clone(), format!("block {}", child.name));
        }
        for (variant, (name, ..)) in &self.variants {
            seen.insert(name.clone(), variant.replace('$', "::"));
        }
        let is_net = |role: &Role| {
            matches!(role, Role::ChildInput { .. } | Role::ChildOutput { .. } | Role::Next { .. })
        };
        for signal in self.signals.iter().filter(|signal| !is_net(&signal.role)) {
            if matches!(signal.role, Role::RegisterClock { .. }) {
                continue;
            }
            if is_keyword(&signal.name) {
                errors.push(format!("`{}` is a Verilog keyword; rename the signal", signal.name));
            }
            if let Some(other) = seen.insert(signal.name.clone(), signal.path.clone()) {
                errors.push(format!(
                    "`{}` and `{other}` are both called `{}` in Verilog",
                    signal.path, signal.name
                ));
            }
        }
        for signal in self.signals.iter_mut().filter(|signal| is_net(&signal.role)) {
            if seen.contains_key(&signal.name) {
                signal.name = signal.path.replace('.', "_");
            }
            while is_keyword(&signal.name) || seen.contains_key(&signal.name) {
                signal.name.push_str("_net");
            }
            seen.insert(signal.name.clone(), signal.path.clone());
        }
        errors.sort();
        self.errors.extend(errors);
    }

    /// A new signal of `width` bits for an intermediate value, named after `hint`.
    pub(super) fn add_temporary(&mut self, hint: &str, width: usize) -> SignalId {
        let taken = |name: &str, signals: &[Signal]| signals.iter().any(|signal| signal.name == name);
        let mut name = format!("{hint}_wide");
        let mut number = 1;
        while taken(&name, &self.signals) || self.children.iter().any(|child| child.name == name) {
            number += 1;
            name = format!("{hint}_wide_{number}");
        }
        let path = name.clone();
        self.add(Signal {
            path,
            name,
            dims: vec![],
            width,
            signed: false,
            backward: false,
            reset: false,
            description: None,
            group: None,
            role: Role::Temporary,
        })
    }
}
