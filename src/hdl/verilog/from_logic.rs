//! How a lowered logic becomes a module.
use super::build::Build;
use super::ir::{ExprKind, Role, SignalId, Statement};
use super::module::Module;
use super::paths::Through;
use super::process::{register_classes, split};
use super::signals::Scope;
use super::usage::{slice, Usage};
use super::walk::walk;
use std::collections::HashMap;

impl Module {
    /// A module from its lowered logic; `modules` names the module of every child, by group and element.
    pub(super) fn from_logic(
        scope: Scope,
        logic: Vec<Statement>,
        modules: &[Vec<String>],
        through: &Through,
    ) -> Self {
        let mut module = Self { scope, ..Self::default() };
        let (logic, clocks) = module.take_clocks(logic);
        let usage = Usage::new(&logic);
        let classes = register_classes(&module.scope, &clocks);
        let processes = split(&module.scope, &logic, &usage, &classes, through);
        let (ordered, alias_targets, connected) = Default::default();
        let mut build = Build { module, usage: &usage, logic: &logic, ordered, alias_targets, connected };
        build.run(processes, &classes, &clocks, modules);
        build.module
    }

    /// Takes the registers' clocks out of the logic.
    fn take_clocks(&mut self, logic: Vec<Statement>) -> (Vec<Statement>, HashMap<usize, SignalId>) {
        let mut clocks = HashMap::new();
        let mut errors = vec![];
        walk(&logic, &mut |statement| {
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
        (slice(&logic, &|id| !is_clock(id)), clocks)
    }
}
