//! What a published evaluation consists of.

use std::path::{Path, PathBuf};

use super::metric::{Grid, Metric};
use spec::config::CoreConfig;

/// A published evaluation, and what repeats it here.
pub(in crate::cli::bench) struct Paper {
    /// The value of `--experiment`.
    pub key: &'static str,
    /// What of it is repeated, in a line.
    pub summary: &'static str,
    /// Authors, title, year.
    pub source: &'static str,
    /// One or several; what options change is the first, alone.
    pub machines: &'static [Machine],
    /// The variant to whose IPC the paper puts that of the others in relation.
    pub baseline: &'static str,
    pub variants: &'static [Variant],
    pub programs: &'static [Program],
    /// What else it measures of each program.
    pub metrics: &'static [Metric],
    /// Whose numbers it puts in relation to which others' besides.
    pub comparisons: &'static [Comparison],
    pub claims: &'static [Claim],
    /// Its figures and tables that are not repeated, and why.
    pub absent: &'static [[&'static str; 2]],
    /// What a reader has to know, a paragraph each.
    pub notes: &'static [&'static str],
}

/// A machine like the paper's.
pub(in crate::cli::bench) struct Machine {
    /// As reports name it.
    pub name: &'static str,
    /// The core but for its schedulers.
    pub core: fn() -> CoreConfig,
    /// The memory behind the bus, as `--mem` takes it.
    pub memory: &'static str,
    /// The same for the paper's own programs.
    pub memory_of_programs: &'static str,
    /// What it is of, what was published, what it is here and why.
    pub table: &'static [[&'static str; 3]],
}

/// What is compared: a core's schedulers, and whatever else belongs to them.
pub(in crate::cli::bench) struct Variant {
    /// As the paper calls it.
    pub name: &'static str,
    pub fetch: &'static str,
    pub issue: &'static str,
    /// What else is different in the core.
    pub more: fn(&mut CoreConfig),
}

impl Variant {
    /// Of a fetch and an issue policy alone.
    pub(super) const fn new(name: &'static str, fetch: &'static str, issue: &'static str) -> Self {
        Self { name, fetch, issue, more: |_| {} }
    }

    /// The core with it.
    pub(super) fn core(&self, base: &CoreConfig) -> CoreConfig {
        let mut core = CoreConfig { fetch: self.fetch.into(), issue: self.issue.into(), ..base.clone() };
        (self.more)(&mut core);
        core
    }
}

/// One of the paper's programs: a kernel that stands for it, the program itself, or both.
pub(in crate::cli::bench) struct Program {
    /// The paper's abbreviation.
    pub name: &'static str,
    /// The kernel, if there is one.
    pub kernel: Option<Kernel>,
    /// By which of its grids an adaptive scheduler is judged.
    pub grid: Grid,
    /// The program itself, if it can be had.
    pub original: Option<Original>,
}

/// A kernel that stands for a program.
pub(in crate::cli::bench) struct Kernel {
    pub name: &'static str,
    /// Blocks enough that the core is full most of the time, where the paper has so many.
    pub size: u32,
}

impl Kernel {
    /// As it is asked for.
    pub(super) fn sized(&self) -> String {
        format!("{}:{}", self.name, self.size)
    }
}

/// A published program with its own device code, by a launch description in `sim/kernels/suites`.
pub(in crate::cli::bench) struct Original {
    /// The folder of the suite.
    pub suite: &'static str,
    /// The name of the description.
    pub name: &'static str,
    /// Macros that make it about as large as a kernel that stands for it.
    pub defines: &'static [&'static str],
    /// What reports name it, for one description may be two of a paper's programs.
    pub run: &'static str,
}

impl Original {
    /// Its description in a folder that `scripts/suites.sh --prepare` has made.
    pub(super) fn description(&self, folder: &Path) -> PathBuf {
        folder.join(self.suite).join(self.name).join(self.name).with_extension("toml")
    }
}

impl Program {
    pub(super) const fn new(name: &'static str, kernel: &'static str, size: u32) -> Self {
        Self { name, kernel: Some(Kernel { name: kernel, size }), grid: Grid::First, original: None }
    }

    /// No kernel stands for it.
    pub(super) const fn itself(
        name: &'static str,
        suite: &'static str,
        original: &'static str,
        defines: &'static [&'static str],
    ) -> Self {
        Self { name, kernel: None, grid: Grid::First, original: None }.published(suite, original, defines)
    }

    /// That it is published there.
    pub(super) const fn published(
        self,
        suite: &'static str,
        name: &'static str,
        defines: &'static [&'static str],
    ) -> Self {
        self.published_as(suite, name, defines, name)
    }

    /// The same, and what reports name it.
    pub(super) const fn published_as(
        self,
        suite: &'static str,
        name: &'static str,
        defines: &'static [&'static str],
        run: &'static str,
    ) -> Self {
        Self { original: Some(Original { suite, name, defines, run }), ..self }
    }

    /// Judged by its longest grid.
    pub(super) const fn by_longest(self) -> Self {
        Self { grid: Grid::Longest, ..self }
    }
}

/// A metric of a variant to that of others, program by program.
pub(in crate::cli::bench) struct Comparison {
    /// Figure or table.
    pub place: &'static str,
    pub metric: Metric,
    pub of: &'static str,
    pub to: &'static [&'static str],
}

/// Which variants a number is of; those of several become one as programs' numbers do.
#[derive(Clone, Copy)]
pub(in crate::cli::bench) enum Of {
    One(&'static str),
    Each(&'static [&'static str]),
}

impl Of {
    pub(super) const fn names(&self) -> &[&'static str] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Each(names) => names,
        }
    }
}

/// What the paper says of a number: a metric of a variant, or its ratio to another one's.
pub(in crate::cli::bench) struct Claim {
    pub what: &'static str,
    /// Section, figure or table.
    pub place: &'static str,
    pub published: Published,
    pub metric: Metric,
    pub of: Of,
    pub to: Option<Of>,
    /// Of these of the programs; of all that are measured if there are none.
    pub over: &'static [&'static str],
    pub fold: Fold,
}

/// What was published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli::bench) enum Published {
    Value(f64),
    /// More than that, in words.
    More(f64),
    /// Less.
    Less(f64),
    /// The lowest and the highest of several that are not told apart.
    Between(f64, f64),
}

/// How several numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::bench) enum Fold {
    /// The geometric mean of programs' ratios, the arithmetic of all else.
    Mean,
    Lowest,
    Highest,
    Sum,
    /// The sum of one variant's numbers to that of the other's: of counts that are 0 in some programs.
    Total,
}

/// A ratio of IPC.
pub(super) const fn ipc(
    what: &'static str,
    place: &'static str,
    published: Published,
    of: &'static str,
    to: &'static str,
    over: &'static [&'static str],
) -> Claim {
    ratio(what, place, published, Metric::Ipc, [of, to], over)
}

/// A metric of a variant to that of another one.
pub(super) const fn ratio(
    what: &'static str,
    place: &'static str,
    published: Published,
    metric: Metric,
    [of, to]: [&'static str; 2],
    over: &'static [&'static str],
) -> Claim {
    Claim { to: Some(Of::One(to)), ..single(what, place, published, metric, of, over) }
}

/// A metric of a variant.
pub(super) const fn single(
    what: &'static str,
    place: &'static str,
    published: Published,
    metric: Metric,
    of: &'static str,
    over: &'static [&'static str],
) -> Claim {
    Claim { what, place, published, metric, of: Of::One(of), to: None, over, fold: Fold::Mean }
}
