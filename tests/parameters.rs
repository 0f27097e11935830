//! Every parameter changes the hardware: a core with another value of it has another Verilog.

use std::collections::BTreeSet;

use crate::sample;
use spec::config::{CoreConfig, Parameter, Says, PARAMETERS};

/// Small cores of one slice and of several: what the rules forbid on one is possible on another.
fn cores() -> Vec<CoreConfig> {
    let with = |options: &str| with_options(&CoreConfig::preset("tiny").unwrap(), options).unwrap();
    [
        "--warps 4",
        "--warps 4 --slices 2 --cache-banks 2",
        "--warps 8 --slices 4 --cache-banks 4 --load-slots 8",
    ]
    .map(|options| with(&format!("--no-fpu --dcache 1K {options}")))
    .into()
}

/// The core with these options; `None` if there is none called so, as one that is to be left out.
fn with_options(core: &CoreConfig, options: &str) -> Option<CoreConfig> {
    let mut words = options.split(' ');
    let mut core = core.clone();
    while let Some(word) = words.next() {
        let mut spellings =
            PARAMETERS.iter().flat_map(|p| p.options.iter().map(move |spelling| (p, spelling)));
        let (parameter, spelling) = spellings.find(|(_, spelling)| spelling.option == word)?;
        let value = match spelling.says {
            Says::Given(_) => words.next()?,
            Says::Fixed(value) => value,
        };
        core = parameter.set(&core, value).unwrap();
    }
    Some(core)
}

/// The core with what the parameter has no effect without, if that can be had.
fn with_needs(parameter: &Parameter, core: &CoreConfig) -> Option<CoreConfig> {
    match parameter.in_vain(core) {
        Some((_, give)) => with_needs(parameter, &with_options(core, &give)?),
        None => Some(core.clone()),
    }
}

/// The values that a parameter can have.
fn values(parameter: &Parameter) -> BTreeSet<String> {
    let fixed = parameter.options.iter().filter_map(|spelling| match spelling.says {
        Says::Fixed(value) => Some(value.to_owned()),
        Says::Given(_) => None,
    });
    fixed.chain(parameter.tried()).collect()
}

/// The Verilog without comments.
fn verilog(core: &CoreConfig) -> String {
    let design = rtl::generate(core, &[]).unwrap();
    let code = |line: &str| line.split("//").next().unwrap_or("").trim_end().to_owned() + "\n";
    design.modules.iter().flat_map(|module| module.text.lines().map(code)).collect()
}

/// All but those that name policies: the contract of schedulers asks that no two of these are the same. What another
/// parameter decides unless it is told, as `--kaws-sharing`, need not change every core.
#[test]
fn every_value_changes_the_verilog_of_some_core() {
    let cores = cores();
    let parameters = PARAMETERS.iter().filter(|parameter| parameter.stage.is_none());
    let all: Vec<_> = parameters.flat_map(|p| values(p).into_iter().map(move |value| (p, value))).collect();
    for (parameter, value) in sample::some(all, 4, 0) {
        let possible = |core: &CoreConfig| core.validate().is_ok() && parameter.in_vain(core).is_none();
        let of_core = |core: &CoreConfig| {
            let usual = parameter.reset(&with_needs(parameter, core)?);
            let others = values(parameter).into_iter().map(|other| parameter.set(&usual, &other).unwrap());
            let this = parameter.set(&usual, &value).unwrap();
            let mut others = [usual.clone()].into_iter().chain(others).filter(|o| *o != this && possible(o));
            possible(&this).then(|| {
                let this = verilog(&this);
                others.any(|other| verilog(&other) != this)
            })
        };
        let changes = cores.iter().filter_map(of_core).any(|differs| differs);
        assert!(changes, "{} = {value} changes nothing on these cores, or none may have it", parameter.name);
    }
}
