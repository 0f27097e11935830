//! Many schedulers in one simulator: in its Verilog a menu takes a scheduler's place and passes on the outputs of the one
//! that a run selects.
//!
//! Building a simulator takes minutes for a large core, and an experiment compares a dozen pairs of schedulers. They are
//! the modules that `gen` writes, all present, all told what happens; the core sees one of them. That it is the right one
//! is checked as always: the models of the selected policies must choose the hardware's warp in every cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::config::CoreConfig;
use crate::registry;
use crate::rtl;

use super::ports::SELECT;
use super::simulation::{SimError, Simulation};
use super::verilator::BuildOptions;

/// Cores that differ in their schedulers alone.
pub struct SideBySide {
    modules: Modules,
    cores: Vec<CoreConfig>,
    /// What selects each, at [`SELECT`].
    selections: Vec<u16>,
}

/// Texts of modules by their names.
type Modules = BTreeMap<String, String>;

/// Where an instance stands that differs from core to core.
struct Site {
    /// The module around it; slices may have modules of their own, with a number behind the name.
    module: &'static str,
    /// The instance.
    name: &'static str,
    /// What the menu is called.
    menu: &'static str,
    /// Its eight bits of [`SELECT`] begin there.
    low: usize,
}

const FETCH: Site = Site { module: "FetchSelect", name: "scheduler", menu: "FetchMenu", low: 0 };
const ISSUE: Site = Site { module: "IssueSlice", name: "scheduler", menu: "IssueMenu", low: 8 };
const ORACLES: Site = Site { module: "IssueSlice", name: "oracles", menu: "OracleMenu", low: 8 };

impl SideBySide {
    /// Every pair of these fetch and issue policies.
    ///
    /// # Errors
    /// Cores that cannot be generated, or that differ in more than a menu can hide.
    pub fn pairs(base: &CoreConfig, fetches: &[&str], issues: &[&str]) -> Result<Self, SimError> {
        let with = |fetch: &str, issue: &str| CoreConfig {
            fetch: fetch.into(),
            issue: issue.into(),
            ..base.clone()
        };
        // The schedule stage that is made for a strict policy serves the others too; one for a loose policy passes it by.
        let host_fetch = match fetches.iter().copied().find(|key| registry::is_strict(key)) {
            Some(strict) => strict,
            None => first(fetches)?,
        };
        let first_issue = first(issues)?;
        let mut core = host(&with(host_fetch, first_issue))?;
        let variants = |cores: Vec<CoreConfig>| cores.iter().map(generate).collect::<Result<Vec<_>, _>>();
        let of_fetch = variants(fetches.iter().map(|fetch| with(fetch, first_issue)).collect())?;
        let of_issue = variants(issues.iter().map(|issue| with(host_fetch, issue)).collect())?;
        serve(&mut core, &FETCH, &of_fetch)?;
        serve(&mut core, &ISSUE, &of_issue)?;
        if base.oracle {
            serve(&mut core, &ORACLES, &of_issue)?;
        }
        let numbers = |keys: &[&str]| 0..keys.len() as u16;
        let all = || numbers(fetches).flat_map(|f| numbers(issues).map(move |i| (f, i)));
        Ok(Self {
            modules: core,
            cores: all().map(|(f, i)| with(fetches[f as usize], issues[i as usize])).collect(),
            selections: all().map(|(f, i)| f << FETCH.low | i << ISSUE.low).collect(),
        })
    }

    /// The unified scheduler of each of these keys.
    ///
    /// # Errors
    /// As [`SideBySide::pairs`].
    pub fn unified(base: &CoreConfig, keys: &[&str]) -> Result<Self, SimError> {
        let with = |key: &&str| CoreConfig { fetch: (*key).into(), issue: (*key).into(), ..base.clone() };
        let mut core = host(&with(&first(keys)?))?;
        let variants = keys.iter().map(|key| generate(&with(key))).collect::<Result<Vec<_>, _>>()?;
        serve(&mut core, &ISSUE, &variants)?;
        if base.oracle {
            serve(&mut core, &ORACLES, &variants)?;
        }
        Ok(Self {
            modules: core,
            cores: keys.iter().map(with).collect(),
            selections: (0..keys.len() as u16).map(|number| number << ISSUE.low).collect(),
        })
    }

    /// The cores, in the order of the keys, fetch before issue.
    pub fn cores(&self) -> &[CoreConfig] {
        &self.cores
    }

    /// The simulator as that of each of its cores, in their order.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn simulations(&self, options: &BuildOptions) -> Result<Vec<Simulation>, SimError> {
        let verilog = self.modules.values().cloned().collect::<Vec<_>>().join("\n");
        let (Some(first), Some(&selection)) = (self.cores.first(), self.selections.first()) else {
            return Ok(vec![]);
        };
        // Found once: there are as many cores as pairs of policies.
        let mut all = vec![Simulation::from_verilog(first, &verilog, options)?.selecting(first, selection)?];
        for (core, &selection) in self.cores.iter().zip(&self.selections).skip(1) {
            all.push(all[0].selecting(core, selection)?);
        }
        Ok(all)
    }
}

fn first<'a>(keys: &[&'a str]) -> Result<&'a str, SimError> {
    keys.first().copied().ok_or_else(|| SimError::Generate("no scheduler is named".into()))
}

fn generate(cfg: &CoreConfig) -> Result<Modules, SimError> {
    let design = rtl::generate(cfg, &[]).map_err(|e| SimError::Generate(e.to_string()))?;
    Ok(design.modules.into_iter().map(|module| (module.name, module.text)).collect())
}

/// A core with the input by which schedulers are selected.
fn host(cfg: &CoreConfig) -> Result<Modules, SimError> {
    let mut modules = generate(cfg)?;
    let head = format!("module {} (", rtl::TOP);
    let top = modules.get_mut(rtl::TOP).ok_or_else(|| unexpected("there is no core".into()))?;
    *top = top.replace(&head, &format!("{head}\n  input wire [15:0] {SELECT},"));
    Ok(modules)
}

fn unexpected(what: String) -> SimError {
    SimError::Generate(format!("schedulers cannot stand side by side: {what}"))
}

/// The line that begins the instance of a site, in a module around it.
fn instance_line<'a>(text: &'a str, site: &Site) -> Option<&'a str> {
    let end = format!(" {} (", site.name);
    text.lines().find(|line| line.ends_with(&end))
}

/// The modules around a site.
fn around<'a>(modules: &'a Modules, site: &'a Site) -> impl Iterator<Item = (&'a String, &'a str)> {
    let is = |(name, text): (&'a String, &'a String)| {
        name.starts_with(site.module).then(|| instance_line(text, site).map(|line| (name, line))).flatten()
    };
    modules.iter().filter_map(is)
}

/// The words of Verilog text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Puts into `core` a menu of what the variants have at `site`.
fn serve(core: &mut Modules, site: &Site, variants: &[Modules]) -> Result<(), SimError> {
    let mut ports = String::new();
    let mut dishes = vec![];
    for (number, modules) in variants.iter().enumerate() {
        let names: BTreeSet<_> =
            around(modules, site).filter_map(|(_, line)| words(line.trim()).next()).collect();
        let [name] = names.iter().copied().collect::<Vec<_>>()[..] else {
            return Err(unexpected(format!("{} has {names:?} as {}", site.module, site.name)));
        };
        let text = &modules[name];
        let (_, declared) = text
            .split_once(&format!("module {name} ("))
            .ok_or_else(|| unexpected(format!("no module {name}")))?;
        let declared = declared.split_once("\n);").map_or("", |(ports, _)| ports);
        // What the ports are is said in the dishes.
        ports = declared.lines().filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n");
        // Modules of one name may differ inside: each gets a name of its own.
        let own = format!("{}{number}", site.menu.replace("Menu", ""));
        add_parts(core, modules, name)?;
        core.insert(own.clone(), text.replace(&format!("module {name} ("), &format!("module {own} (")));
        dishes.push(own);
    }
    core.insert(site.menu.into(), menu(site, &ports, &dishes)?);
    let places: Vec<(String, String)> =
        around(core, site).map(|(name, line)| (name.clone(), line.to_owned())).collect();
    for (name, line) in places {
        if let Some(text) = core.get_mut(&name) {
            *text = text.replace(&line, &format!("  {} {} (", site.menu, site.name));
        }
    }
    Ok(())
}

/// Takes over what a module contains, and what that contains.
fn add_parts(core: &mut Modules, from: &Modules, name: &str) -> Result<(), SimError> {
    let parts: BTreeSet<_> =
        words(&from[name]).filter(|word| *word != name && from.contains_key(*word)).collect();
    for part in parts {
        let had = core.insert(part.to_owned(), from[part].clone());
        if had.is_some_and(|had| had != from[part]) {
            return Err(unexpected(format!("{part} is not the same module in all")));
        }
        add_parts(core, from, part)?;
    }
    Ok(())
}

/// The menu's module: all dishes get its inputs, and it has the outputs of the selected one.
fn menu(site: &Site, ports: &str, dishes: &[String]) -> Result<String, SimError> {
    let mut body = String::new();
    let mut connections = vec![];
    for port in ports.split(',').map(str::trim) {
        let name = port.split_whitespace().last().ok_or_else(|| unexpected("a port has no name".into()))?;
        let Some(declaration) = port.strip_prefix("output") else {
            connections.push((name, false));
            continue;
        };
        connections.push((name, true));
        let chain = |(number, _): (usize, &String)| match number + 1 == dishes.len() {
            true => format!("{name}_{number}"),
            false => format!("dish == {number} ? {name}_{number} : "),
        };
        let shape = declaration.trim_start().trim_start_matches("wire").trim_start_matches("reg");
        let shape = shape.trim_end_matches(name);
        (0..dishes.len()).for_each(|number| body += &format!("  wire {shape} {name}_{number};\n"));
        let chosen: String = dishes.iter().enumerate().map(chain).collect();
        let _ = writeln!(body, "  assign {name} = {chosen};");
    }
    for (number, dish) in dishes.iter().enumerate() {
        let connect = |&(name, output): &(&str, bool)| match output {
            true => format!(".{name}({name}_{number})"),
            false => format!(".{name}({name})"),
        };
        let connections: Vec<_> = connections.iter().map(connect).collect();
        let _ = writeln!(body, "  {dish} dish_{number} ({});", connections.join(", "));
    }
    let (name, top, low) = (site.menu, rtl::TOP, site.low);
    let ports = ports.replace("output reg", "output wire");
    Ok(format!(
        "module {name} ({ports});\n  wire [7:0] dish = {top}.{SELECT}[{low} +: 8];\n{body}endmodule\n"
    ))
}
