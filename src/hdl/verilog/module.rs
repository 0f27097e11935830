//! One module in its final form: which signals are nets, what each process and each instance prints as.
use super::ir::{Expr, Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::unread::Unread;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A genvar loop: name, first value, end.
pub(super) type GenerateLoop = (String, usize, usize);

/// A port of an instance, and what it is connected to.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    pub(super) port: String,
    pub(super) value: String,
    /// The step of the statement that says so, if there is one.
    pub(super) step: Option<usize>,
    /// The heading of this step, if it stands nowhere else.
    pub(super) comment: Option<String>,
}

pub(super) type Connections = Vec<Connection>;

/// A part of the module's body.
#[derive(Debug)]
pub(super) enum Item {
    Assign {
        comments: Vec<String>,
        target: Place,
        value: Expr,
    },
    Generate {
        comments: Vec<String>,
        label: String,
        loops: Vec<GenerateLoop>,
        body: Vec<(Place, Expr)>,
    },
    Combinational {
        label: String,
        scratch: Vec<SignalId>,
        body: Vec<Statement>,
    },
    Clocked {
        clock: SignalId,
        label: String,
        body: Vec<Statement>,
        resets: Vec<(SignalId, Expr)>,
    },
    Instance {
        comments: Vec<String>,
        child: usize,
        element: usize,
        module: String,
        connections: Connections,
    },
    Instances {
        comments: Vec<String>,
        child: usize,
        module: String,
        connections: Connections,
        loops: Vec<GenerateLoop>,
    },
    Text(String),
    /// The numbered comment above the items of a step.
    Heading(String),
    /// Here a group of assignments ends.
    Gap,
}

/// A module ready to be printed.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) scope: Scope,
    pub(super) items: Vec<Item>,
    pub(super) variables: HashSet<SignalId>,
    pub(super) declared: HashSet<SignalId>,
    pub(super) used: HashSet<SignalId>,
    /// Vectors that are written at a dynamic index: synthesis is to decode it, instead of shifting masks.
    pub(super) written: BTreeSet<SignalId>,
    pub(super) used_variants: BTreeMap<(String, usize), usize>,
    pub(super) generate_names: HashMap<usize, String>,
    pub(super) genvars: BTreeSet<String>,
    pub(super) unread: Unread,
}

impl Module {
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
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            if signal.role == Role::Input && words.all(|word| word != signal.name) {
                module.unread.others.insert(id, vec![(0, signal.total())]);
                module
                    .unread
                    .reasons
                    .insert(signal.name.clone(), "cells have the same ports in every size".into());
            }
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
}
