//! What an entry of the data sheet says of a parameter, and what follows from it.

use super::rules::Check;
use super::CoreConfig;
use crate::registry::{self, Stage};

/// A parameter of the core. Its entry in `src/spec/config/sheet.rs` is all that there is to say of it: the field of
/// [`CoreConfig`] and of a file, its options, its rules and their messages follow.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name of the field, in files and in JSON.
    pub name: &'static str,
    /// What it is, in a sentence; the help of an option that has no other.
    pub help: &'static str,
    /// The options that set it, in the order of the help; they exclude one another.
    pub options: &'static [Spelling],
    /// Whether the head of generated files spells it out even if it is as usual.
    pub always: bool,
    /// What it may be.
    pub range: Range,
    /// What else holds, beside other parameters.
    pub rules: &'static [fn(&CoreConfig) -> Check],
    /// What it has no effect without.
    pub needs: Option<Needs>,
    /// The issue policy without which it has no effect.
    pub policy: Option<&'static str>,
    /// The stage whose policies it names.
    pub stage: Option<Stage>,
    /// What random cores have for it beside the default, as values of its option; nothing: all of its range, if that is a
    /// list.
    pub tries: &'static str,
    pub(super) read: fn(&mut CoreConfig, &str) -> Result<(), String>,
    pub(super) forget: fn(&mut CoreConfig),
    pub(super) write: fn(&CoreConfig) -> String,
    pub(super) number: fn(&CoreConfig) -> Option<usize>,
}

/// An option that sets a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Its name, with dashes.
    pub option: &'static str,
    /// Where its value comes from.
    pub says: Says,
    /// Its help, if it is another than that of the parameter.
    pub help: Option<&'static str>,
}

/// The value that an option sets.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// What stands behind it, called so in the help.
    Given(&'static str),
    /// Always this.
    Fixed(&'static str),
}

/// What a number may be.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// Anything, as far as this goes.
    Any,
    /// One of a list.
    OneOf(&'static [usize]),
    /// At least the one, at most the other.
    Between(usize, usize),
    /// A power of two, at least the one, at most the other.
    PowerOfTwo(usize, usize),
}

/// What a parameter has no effect without.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Whether it is there.
    pub met: fn(&CoreConfig) -> bool,
    /// What a core is like that has it not.
    pub without: &'static str,
    /// Options that bring it.
    pub give: &'static str,
}

/// An option with a value.
pub(super) const fn takes(option: &'static str, value: &'static str) -> Spelling {
    Spelling { option, says: Says::Given(value), help: None }
}

/// An option that stands for a value.
pub(super) const fn says(option: &'static str, value: &'static str) -> Spelling {
    Spelling { option, says: Says::Fixed(value), help: None }
}

impl Spelling {
    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

impl Range {
    /// Whether such a number is within, and what is required.
    pub(super) fn check(self, number: usize) -> Check {
        let power_of_two = |least, most| number.is_power_of_two() && (least..=most).contains(&number);
        let (holds, required) = match self {
            Self::Any => return Ok(()),
            Self::OneOf(numbers) => (numbers.contains(&number), listed(numbers)),
            Self::Between(least, most) => ((least..=most).contains(&number), format!("{least} to {most}")),
            Self::PowerOfTwo(least, most) => {
                (power_of_two(least, most), format!("a power of two from {least} to {most}"))
            }
        };
        super::rules::require(holds, format!("must be {required}"))
    }
}

/// `1, 2 or 4`.
fn listed(numbers: &[usize]) -> String {
    let texts: Vec<_> = numbers.iter().map(usize::to_string).collect();
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => texts.concat(),
    }
}

impl Parameter {
    /// What an entry need not say; what it has no effect without is the first of these policies, if there is one.
    pub(super) const fn plain(policies: &[&'static str]) -> Self {
        Self {
            name: "",
            help: "",
            options: &[],
            always: false,
            range: Range::Any,
            rules: &[],
            needs: None,
            policy: match policies {
                [policy, ..] => Some(policy),
                [] => None,
            },
            stage: None,
            tries: "",
            read: |_, _| Ok(()),
            forget: |_| {},
            write: |_| String::new(),
            number: |_| None,
        }
    }

    /// The core with the value of an option.
    ///
    /// # Errors
    /// What was expected instead.
    pub fn set(&self, core: &CoreConfig, text: &str) -> Result<CoreConfig, String> {
        let mut core = core.clone();
        (self.read)(&mut core, text).map(|()| core)
    }

    /// The core with the usual value.
    pub fn reset(&self, core: &CoreConfig) -> CoreConfig {
        let mut core = core.clone();
        (self.forget)(&mut core);
        core
    }

    /// Its value, as an option has it.
    pub fn text(&self, core: &CoreConfig) -> String {
        (self.write)(core)
    }

    /// Why it has no effect on that core, and which option would give it one; `None` if it has.
    pub fn in_vain(&self, core: &CoreConfig) -> Option<(&'static str, String)> {
        if let Some(policy) = self.policy.filter(|policy| core.issue != *policy) {
            return Some(("with another issue policy", format!("--issue {policy}")));
        }
        let unmet = self.needs.filter(|needs| !(needs.met)(core))?;
        Some((unmet.without, unmet.give.into()))
    }

    /// The option that gives a core its value; `None` if it may be left out.
    pub fn spelled(&self, core: &CoreConfig) -> Option<String> {
        let text = self.text(core);
        let is_usual = text == self.text(&CoreConfig::default());
        if self.in_vain(core).is_some() || !self.always && is_usual {
            return None;
        }
        // An option that stands for the value comes before one that takes it.
        let fixed = self.options.iter().find(|spelling| match spelling.says {
            Says::Fixed(value) => self.set(core, value).as_ref() == Ok(core),
            Says::Given(_) => false,
        });
        let given = self.options.iter().find(|spelling| matches!(spelling.says, Says::Given(_)));
        let given = || given.map(|spelling| format!("{} {text}", spelling.option));
        fixed.map(|spelling| spelling.option.to_owned()).or_else(given)
    }

    /// What random cores have for it beside the default, as values of its option.
    pub fn tried(&self) -> Vec<String> {
        match (self.stage, self.range) {
            (Some(stage), _) => registry::keys(stage).into_iter().map(str::to_owned).collect(),
            (None, Range::OneOf(numbers)) if self.tries.is_empty() => {
                numbers.iter().map(usize::to_string).collect()
            }
            _ => self.tries.split_whitespace().map(str::to_owned).collect(),
        }
    }
}
