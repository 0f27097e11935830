//! Names of modules of one kind and several sizes: `OneHotIndex_W8` and `OneHotIndex_W4`, by the width of the first port that
//! tells them apart.
//!
//! Modules are printed leaves first, before all sizes of a kind are known, under numbered names; these are replaced in the end.
use super::design::Module;
use super::rename::renamed;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The ports of a module with their widths, in order.
pub(super) type Ports = Vec<(String, usize)>;

/// A module's name, before it has its size, and what tells it from others of its kind.
pub(super) struct Kind {
    /// The name that its declaration gives it.
    pub(super) hint: String,
    pub(super) ports: Ports,
}

/// Renames the `modules` of which there are several of a kind; `kinds` are theirs. If one of two has a port more, that
/// names it; what no port tells apart keeps its number.
pub(super) fn name_by_size(modules: &mut [Module], kinds: &[Kind]) {
    let mut by_hint: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, kind) in kinds.iter().enumerate() {
        by_hint.entry(&kind.hint).or_default().push(at);
    }
    let taken: BTreeSet<String> = modules.iter().map(|module| module.name.clone()).collect();
    let mut names: HashMap<String, String> = HashMap::new();
    for (hint, members) in by_hint.iter().filter(|(_, members)| members.len() > 1) {
        let ports = members.iter().map(|&at| &kinds[at].ports).collect::<Vec<_>>();
        let Some((port, widths)) = telling(&ports) else {
            for (&at, name) in members.iter().zip(by_presence(hint, &ports).into_iter().flatten()) {
                names.insert(std::mem::replace(&mut modules[at].name, name.clone()), name);
            }
            continue;
        };
        let sized: Vec<_> = widths.iter().map(|width| format!("{hint}_W{width}")).collect();
        if sized.iter().any(|name| taken.contains(name)) {
            continue;
        }
        for ((&at, name), width) in members.iter().zip(sized).zip(widths) {
            let head = format!("module {}", modules[at].name);
            let told = format!("// W{width} is the width of `{port}`.\n{head}");
            modules[at].text = modules[at].text.replacen(&head, &told, 1);
            names.insert(std::mem::replace(&mut modules[at].name, name.clone()), name);
        }
    }
    if !names.is_empty() {
        modules.iter_mut().for_each(|module| module.text = renamed(&module.text, &names));
    }
}

/// The first port that has another width in each module, and its widths.
fn telling<'a>(modules: &[&'a Ports]) -> Option<(&'a str, Vec<usize>)> {
    let width_in = |ports: &Ports, name: &str| ports.iter().find(|(port, _)| port == name).map(|port| port.1);
    modules[0].iter().find_map(|(name, _)| {
        let widths: Vec<usize> = modules.iter().map(|ports| width_in(ports, name)).collect::<Option<_>>()?;
        let distinct: BTreeSet<_> = widths.iter().collect();
        (distinct.len() == widths.len()).then_some((name.as_str(), widths))
    })
}

/// Names of two modules of which one has a port that the other lacks, if the other has none of its own.
fn by_presence(hint: &str, modules: &[&Ports]) -> Option<[String; 2]> {
    let [a, b] = modules else { return None };
    let more = |of: &Ports, than: &Ports| {
        let names = of.iter().map(|(name, _)| name);
        names.into_iter().find(|&name| than.iter().all(|(other, _)| other != name)).cloned()
    };
    let with = |port: String| format!("{hint}_with_{port}");
    match (more(a, b), more(b, a)) {
        (Some(port), None) => Some([with(port), hint.to_owned()]),
        (None, Some(port)) => Some([hint.to_owned(), with(port)]),
        _ => None,
    }
}
