//! Launch descriptions: what a user writes in TOML.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{parse_define, Language};

/// A launch description. Sizes, values and arguments are C++ expressions, which know the macros and functions of the sources.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    /// Files with kernels. These and all other paths are relative to the description.
    pub sources: Vec<PathBuf>,
    /// Files for the host alone.
    #[serde(default)]
    pub host: Vec<PathBuf>,
    /// Folders of headers.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    #[serde(default)]
    pub defines: Vec<String>,
    /// How often all launches are made, one round after the other.
    #[serde(default)]
    pub rounds: Option<Expression>,
    /// What kernels get pointers to.
    #[serde(default, rename = "array")]
    pub arrays: Vec<Array>,
    /// Functions of the host that fill arrays before the first launch.
    #[serde(default)]
    pub prepare: Vec<Call>,
    /// Kernels, in their order.
    #[serde(rename = "launch")]
    pub launches: Vec<Launch>,
    /// Functions of the host that compute what the kernels should.
    #[serde(default)]
    pub reference: Vec<Call>,
    /// What is compared.
    #[serde(default, rename = "check")]
    pub checks: Vec<Check>,
}

/// Names that mean something else in expressions.
const MEANINGS: [(&str, &str); 3] = [
    ("i", "the number of an element"),
    ("round", "the number of a round"),
    ("random", "the function of random numbers"),
];

/// An array in memory.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Array {
    pub name: String,
    /// The type of its elements.
    #[serde(rename = "type")]
    pub element: String,
    pub length: Expression,
    /// What element `i` is before the first launch.
    pub value: Option<Expression>,
    /// Where its elements are read from.
    pub file: Option<PathBuf>,
    /// The variable of the sources that it is, if it has no place of its own.
    pub symbol: Option<String>,
}

/// A call of a function of the host.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub function: String,
    #[serde(default)]
    pub args: Vec<Expression>,
}

/// A launch of a kernel.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Launch {
    pub kernel: String,
    /// Blocks along x, y, z.
    pub grid: Lengths,
    /// Threads of a block along x, y, z.
    pub block: Lengths,
    /// Bytes of `extern __shared__` variables.
    pub shared: Option<Expression>,
    #[serde(default)]
    pub args: Vec<Expression>,
    /// In which rounds it is made: those in which this is not 0.
    pub when: Option<Expression>,
}

/// A comparison of an array after the last launch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    pub array: String,
    /// How far a `float`, alone or in a vector, may be off, in units of what is expected or of 1, whichever is larger.
    #[serde(default)]
    pub tolerance: f64,
    /// What is expected, if it is not what the host's functions have made of the array.
    pub file: Option<PathBuf>,
}

/// A C++ expression.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, or an expression of C in quotes")]
pub(super) enum Expression {
    Integer(i64),
    Float(f64),
    Truth(bool),
    Text(String),
}

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            // With a point, whatever the value.
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Truth(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// One to three lengths.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a length, or a list of up to three: numbers, or expressions of C in quotes"
)]
pub(super) enum Lengths {
    One(Expression),
    Some(Vec<Expression>),
}

impl Lengths {
    pub fn all(&self) -> &[Expression] {
        match self {
            Self::One(length) => std::slice::from_ref(length),
            Self::Some(lengths) => lengths,
        }
    }
}

impl Description {
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let mut description: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        description.check()?;
        let Self { sources, host, include, arrays, checks, .. } = &mut description;
        let files = arrays.iter_mut().filter_map(|array| array.file.as_mut());
        let files = files.chain(checks.iter_mut().filter_map(|check| check.file.as_mut()));
        for path in sources.iter_mut().chain(host).chain(include).chain(files) {
            let whole = folder.join(&path);
            *path = std::path::absolute(&whole).unwrap_or(whole);
            if !path.exists() {
                return Err(format!(
                    "{} does not exist; paths are relative to the description",
                    path.display()
                ));
            }
        }
        Ok(description)
    }

    /// What can be seen without compiling anything.
    fn check(&self) -> Result<(), String> {
        if self.sources.is_empty() {
            return Err("sources is empty: name the files that have the kernels".into());
        }
        if let Some(other) = self.sources.iter().find(|source| Language::of(source).is_none()) {
            return Err(format!("sources: {} has not the extension .cu, .c, .cpp or .s", other.display()));
        }
        for define in &self.defines {
            parse_define(define).map_err(|problem| format!("defines: {define:?}: {problem}"))?;
        }
        if self.launches.is_empty() {
            return Err("nothing is launched: write [[launch]] with kernel, grid and block".into());
        }
        for (index, array) in self.arrays.iter().enumerate() {
            let name = &array.name;
            if !is_name(name) {
                return Err(format!("array {name:?}: the name must be one of C, as in name = \"points\""));
            }
            if let Some((_, meaning)) = MEANINGS.iter().find(|(other, _)| other == name) {
                return Err(format!(
                    "an array is called {name}, which is {meaning} in expressions: rename it"
                ));
            }
            if self.arrays[..index].iter().any(|other| other.name == *name) {
                return Err(format!("two arrays are called {name}: rename one"));
            }
            let is_same = |other: &&Array| other.symbol.is_some() && other.symbol == array.symbol;
            if let Some(other) = self.arrays[..index].iter().find(is_same) {
                return Err(format!("arrays {} and {name} are the same variable: leave one out", other.name));
            }
            if array.value.is_some() && array.file.is_some() {
                return Err(format!("array {name} has value and file: leave one out"));
            }
        }
        for launch in &self.launches {
            for (what, lengths) in [("grid", &launch.grid), ("block", &launch.block)] {
                if !(1..=3).contains(&lengths.all().len()) {
                    return Err(format!(
                        "{what} of {}: one to three lengths are needed, x first",
                        launch.kernel
                    ));
                }
            }
        }
        for check in &self.checks {
            if !self.arrays.iter().any(|array| array.name == check.array) {
                let names: Vec<&str> = self.arrays.iter().map(|array| array.name.as_str()).collect();
                let names = names.join(", ");
                return Err(format!(
                    "check of {}: there is no such array; the arrays are {names}",
                    check.array
                ));
            }
            if check.file.is_none() && self.reference.is_empty() {
                return Err(format!(
                    "check of {}: nothing says what is expected: write file = \"...\" in it, or [[reference]] with a \
                     function of the host",
                    check.array
                ));
            }
            if !check.tolerance.is_finite() || check.tolerance < 0.0 {
                return Err(format!("check of {}: the tolerance is a finite number from 0 on", check.array));
            }
        }
        Ok(())
    }
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
