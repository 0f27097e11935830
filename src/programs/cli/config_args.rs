//! The options that choose a core, the same for every program: those of the data sheet, `src/spec/config/sheet.rs`, and some that
//! are about several of its parameters.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches};

use super::UsageError;
use spec::config::{CoreConfig, Parameter, Says, Spelling, Violation, PARAMETERS, PRESETS};
use spec::registry::{self, Stage};

mod file;

pub use file::ConfigFile;

/// The core to generate or simulate. A preset is the base, a file changes it, options have the last word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigArgs {
    /// Name of the configuration to start from.
    pub preset: Option<String>,
    /// Warp scheduler of both stages.
    pub sched: Option<String>,
    /// TOML file with fields of the configuration.
    pub config: Option<ConfigFile>,
    /// The options of parameters that are given, in the order of the data sheet.
    said: Vec<Said>,
}

/// An option of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    option: &'static str,
    value: String,
}

impl Said {
    fn parameter(&self) -> Option<&'static Parameter> {
        let is_spelled_so =
            |parameter: &&Parameter| parameter.options.iter().any(|o| o.option == self.option);
        PARAMETERS.iter().find(is_spelled_so)
    }
}

/// The value of `--sched` that leaves open which policy is inside the unified scheduler.
pub(super) const SWAS: &str = "swas";

/// What `--sched` may be: what may issue.
pub(super) fn sched_keys() -> impl Iterator<Item = &'static str> {
    registry::keys(Stage::Issue).into_iter().chain([SWAS]).chain(registry::unified().map(|p| p.key))
}

impl Args for ConfigArgs {
    fn augment_args(command: Command) -> Command {
        let arguments = arguments();
        let group = ArgGroup::new("ConfigArgs").multiple(true);
        let group = group.args(arguments.iter().map(|argument| argument.get_id().clone()));
        command.next_help_heading("Core").args(arguments).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// All options, in the order of the help.
fn arguments() -> Vec<Arg> {
    let preset = Arg::new("preset").long("preset").value_name("NAME");
    let preset = preset.value_parser(PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)));
    let sched = Arg::new("sched").long("sched").value_name("KEY").conflicts_with_all(["fetch", "issue"]);
    let sched = sched.value_parser(PossibleValuesParser::new(sched_keys()));
    let sched = sched.help(
        "Warp scheduler of both stages; a policy for issue alone is paired with lrr at fetch, mwf-lrr with cff-lrr and mwf-gto with cff",
    );
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE.toml")
        .value_parser(PathBufValueParser::new().try_map(ConfigFile::read));
    let config = config.help(
        "TOML file with any of the configuration's fields, and of those of its tables icache and dcache",
    );
    let of_one = PARAMETERS.iter().flat_map(|parameter| {
        let of_both = (parameter.stage == Some(Stage::Fetch)).then(|| sched.clone());
        of_both.into_iter().chain(parameter.options.iter().map(move |spelling| argument(parameter, spelling)))
    });
    let preset = preset.help("Configuration to start from [default: small]");
    [preset].into_iter().chain(of_one).chain([config]).collect()
}

/// An option of a parameter, which excludes its others.
fn argument(parameter: &'static Parameter, spelling: &'static Spelling) -> Arg {
    let others = parameter.options.iter().map(name).filter(|other| *other != name(spelling));
    let help = spelling.help.unwrap_or(parameter.help).trim();
    let argument = Arg::new(name(spelling)).long(name(spelling)).help(help).conflicts_with_all(others);
    match (spelling.says, parameter.stage) {
        (Says::Fixed(_), _) => argument.action(ArgAction::SetTrue),
        (Says::Given(value), Some(stage)) => {
            argument.value_name(value).value_parser(PossibleValuesParser::new(registry::keys(stage)))
        }
        (Says::Given(value), None) => {
            let check = |text: &str| parameter.set(&CoreConfig::default(), text).map(|_| text.to_owned());
            argument.value_name(value).value_parser(check)
        }
    }
}

/// The name of an option without its dashes.
fn name(spelling: &Spelling) -> &'static str {
    spelling.option.trim_start_matches('-')
}

impl FromArgMatches for ConfigArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let said = |spelling: &'static Spelling| {
            let value = match spelling.says {
                Says::Fixed(value) => matches.get_flag(name(spelling)).then(|| value.to_owned()),
                Says::Given(_) => text(name(spelling)),
            };
            value.map(|value| Said { option: spelling.option, value })
        };
        Ok(Self {
            preset: text("preset"),
            sched: text("sched"),
            config: matches.get_one("config").cloned(),
            said: PARAMETERS.iter().flat_map(|parameter| parameter.options).filter_map(said).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ConfigArgs {
    /// The path of `--config`.
    pub fn config_path(&self) -> Option<PathBuf> {
        self.config.as_ref().map(|file| file.path.clone())
    }

    /// The same options from another preset.
    pub(in crate::cli) fn on_preset(&self, preset: Option<String>) -> Self {
        Self { preset, ..self.clone() }
    }

    /// The options that are given.
    pub(in crate::cli) fn given(&self) -> impl Iterator<Item = &'static str> + '_ {
        let others = [
            self.preset.as_ref().map(|_| "--preset"),
            self.sched.as_ref().map(|_| "--sched"),
            self.config.as_ref().map(|_| "--config"),
        ];
        others.into_iter().flatten().chain(self.said.iter().map(|said| said.option))
    }

    /// Whether one of these options is given.
    pub(in crate::cli) fn gives(&self, options: &[&str]) -> bool {
        self.given().any(|option| options.contains(&option))
    }

    /// The options given that have no effect without a policy, and the policy.
    pub(in crate::cli) fn of_policies(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.said.iter().filter_map(|said| Some((said.option, said.parameter()?.policy?)))
    }

    /// The validated configuration.
    ///
    /// # Errors
    /// A file that cannot be read or is no configuration, every rule that the result breaks, or every option that the
    /// rest leaves without effect.
    pub fn resolve(&self) -> Result<CoreConfig, UsageError> {
        self.resolve_on(CoreConfig::default())
    }

    /// The same of a core that is `base` where neither a preset nor anything else says more.
    ///
    /// # Errors
    /// As [`ConfigArgs::resolve`].
    pub(in crate::cli) fn resolve_on(&self, base: CoreConfig) -> Result<CoreConfig, UsageError> {
        self.resolve_but(base, |_| false)
    }

    /// The same under one of several schedulers, some of which options may be for.
    ///
    /// # Errors
    /// As [`ConfigArgs::resolve`], but for what has no effect under this scheduler alone.
    pub(in crate::cli) fn resolve_under(&self, sched: Option<&str>) -> Result<CoreConfig, UsageError> {
        let args = Self { sched: sched.map(str::to_owned), ..self.clone() };
        args.resolve_but(CoreConfig::default(), |parameter| parameter.policy.is_some())
    }

    fn resolve_but(
        &self,
        base: CoreConfig,
        may_be_in_vain: impl Fn(&Parameter) -> bool,
    ) -> Result<CoreConfig, UsageError> {
        let mut cfg = match &self.preset {
            Some(name) => CoreConfig::preset(name).ok_or_else(|| {
                UsageError(format!("unknown preset {name}; valid ones are {}", preset_names()))
            })?,
            None => base,
        };
        if let Some(file) = &self.config {
            cfg = file.over(&cfg).map_err(|why| UsageError(format!("{}: {why}", file.path.display())))?;
        }
        if let Some(key) = &self.sched {
            let key = if key == SWAS { registry::SWAS_DEFAULT } else { key };
            cfg.fetch = registry::at_fetch(key).into();
            cfg.issue = key.into();
        }
        let said = || self.said.iter().filter_map(|said| Some((said, said.parameter()?)));
        for (Said { option, value }, parameter) in said() {
            cfg = parameter.set(&cfg, value).map_err(|why| UsageError(format!("{option} {value}: {why}")))?;
        }
        cfg.validate().map_err(|violations| UsageError(describe(&violations)))?;
        // What was asked for in vain: whoever gives such an option thinks of another core. What a preset or a file says
        // beside that is no mistake.
        let in_vain = said().filter(|(_, parameter)| !may_be_in_vain(parameter));
        let in_vain: Vec<_> = in_vain
            .filter_map(|(Said { option, .. }, parameter)| {
                let (core, other) = parameter.in_vain(&cfg)?;
                Some(format!("{option} has no effect on a core {core}: leave it out, or give {other}"))
            })
            .collect();
        match in_vain.as_slice() {
            [] => Ok(cfg),
            _ => Err(UsageError(in_vain.join("\n"))),
        }
    }
}

fn describe(violations: &[Violation]) -> String {
    let lines: Vec<_> = violations.iter().map(|v| format!("\n  {v}")).collect();
    format!("this core cannot be built:{}", lines.concat())
}

fn preset_names() -> String {
    let names: Vec<_> = PRESETS.iter().map(|p| p.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
