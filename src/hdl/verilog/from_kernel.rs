//! How a lowered kernel becomes a module.
use super::build::Build;
use super::ir::{ExprKind, Role, SignalId, Statement};
use super::module::Module;
use super::process::{register_classes, split, Through};
use super::signals::Scope;
use super::usage::{slice, walk, Usage};
use std::collections::{HashMap, HashSet};

impl Module {
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
