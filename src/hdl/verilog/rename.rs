//! Other names for modules that are printed already.
use super::design::{Design, Module};
use std::collections::HashMap;

impl Design {
    /// The same with `prefix` before the name of every module, so that designs of different configurations, whose modules
    /// have the same names, go into one.
    #[must_use]
    pub fn prefixed(self, prefix: &str) -> Self {
        let with = |name: &str| format!("{prefix}{name}");
        let names = self
            .modules
            .iter()
            .map(|module| (module.name.clone(), with(&module.name)))
            .collect::<HashMap<_, _>>();
        let modules = self
            .modules
            .iter()
            .map(|module| Module { name: with(&module.name), text: renamed(&module.text, &names) });
        Self { top: with(&self.top), modules: modules.collect(), ..self }
    }
}

/// The text with other names in the lines that begin a module or an instance.
pub(super) fn renamed(text: &str, names: &HashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        let start = start + if line[start..].starts_with("module ") { "module ".len() } else { 0 };
        let word = line[start..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        match names.get(word) {
            Some(name) => out.extend([&line[..start], name, &line[start + word.len()..]]),
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_their_instances_get_the_prefix() {
        let module = |name: &str, text: &str| Module { name: name.into(), text: text.into() };
        let design = Design {
            top: "top".into(),
            ports: vec![],
            modules: vec![
                module("Alu", "// Alu is it.\nmodule Alu (\n    input Alux\n);\nendmodule\n"),
                module("top", "module top (\n);\n    Alu alu (\n        .Alu(Alu)\n    );\n    Alu_W8 wide (\nendmodule\n"),
            ],
            package: Default::default(),
        };
        let design = design.prefixed("a_");
        assert_eq!(
            (design.top.as_str(), design.files()),
            ("a_top", vec!["a_Alu.v".into(), "a_top.v".into()])
        );
        assert_eq!(design.modules[0].text, "// Alu is it.\nmodule a_Alu (\n    input Alux\n);\nendmodule\n");
        assert!(design.modules[1].text.contains("module a_top (\n);\n    a_Alu alu (\n        .Alu(Alu)"));
        assert!(design.modules[1].text.contains("    Alu_W8 wide"));
    }
}
