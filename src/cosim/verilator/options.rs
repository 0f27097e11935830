//! How a model is built.

use std::path::PathBuf;
use tools::parallel::{processors, Jobs};

use super::lint::LINT;

/// The C++ optimisation of code that runs once.
pub(super) const SLOW: &str = "-O0";

/// What the build optimises for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Long simulations: the flags that measured fastest, without assertions.
    Fast,
    /// Short edit-run loops and long tests: the C++ compiler inlines and does little else, assertions are on.
    Quick,
    /// Tests of fewer than some 100,000 cycles: the C++ compiler does not optimise, assertions are on.
    Draft,
}

/// Options of [`build`](super::build).
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Simulation speed or build speed.
    pub profile: Profile,
    /// Whether the compiler is guided by a profile of a short run: the model takes longer to build and runs faster. Needs
    /// clang and [`build_trained`](super::build_trained).
    pub guided: bool,
    /// Whether instances can write FST wave files. Costs speed even when no file is open.
    pub trace: bool,
    /// Whether [`ModelLib::instance_random`](super::ModelLib::instance_random) starts registers
    /// and memories from random values; otherwise they start as zero.
    pub random_reset: bool,
    /// Whether Verilator's warnings, except the waived ones, are errors, as in [`lint`](super::lint()).
    pub lint: bool,
    /// Compiler processes at a time.
    pub jobs: Jobs,
    /// Where built models are kept, unless it is [`files::default_cache_dir`].
    pub cache: Option<PathBuf>,
}

impl BuildOptions {
    /// Options for `profile` with the default cache, no guidance, no tracing, zeroed state and no lint.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            guided: false,
            trace: false,
            random_reset: false,
            lint: false,
            jobs: processors(),
            cache: None,
        }
    }

    /// [`Profile::Fast`] and defaults.
    pub fn fast() -> Self {
        Self::new(Profile::Fast)
    }

    /// [`Profile::Quick`] and defaults.
    pub fn quick() -> Self {
        Self::new(Profile::Quick)
    }

    /// [`Profile::Draft`] and defaults.
    pub fn draft() -> Self {
        Self::new(Profile::Draft)
    }

    /// Verilator's arguments that depend on the options.
    pub(super) fn verilator_flags(&self) -> Vec<&'static str> {
        let mut flags = vec!["-O3", "--x-assign", "fast"];
        flags.extend(["--output-split", if self.in_pieces() { "20000" } else { "0" }]);
        // What is built in moments is built once, for random runs and others.
        let unique = self.random_reset || self.profile == Profile::Draft;
        flags.extend(["--x-initial", if unique { "unique" } else { "fast" }]);
        flags.push(match self.profile {
            Profile::Fast => "--noassert",
            Profile::Quick | Profile::Draft => "--assert",
        });
        if self.profile == Profile::Draft {
            // A tenth of Verilator's time, and little of the speed of code that is not optimised.
            flags.extend(["-fno-merge-cond", "-fno-reorder"]);
        }
        if self.trace {
            flags.push("--trace-fst");
        }
        if self.lint {
            flags.extend(LINT);
        } else {
            flags.extend(["-Wno-fatal", "-Wno-lint", "-Wno-style"]);
        }
        flags
    }

    /// Whether the model's C++ is in pieces, which all compiler processes share, and which optimisers are done with sooner
    /// than with functions of 100,000 statements. Every piece costs the reading of the same headers: without optimisation
    /// one file is soon done.
    pub(super) fn in_pieces(&self) -> bool {
        self.optimisation() != SLOW
    }

    /// The C++ optimisation of code that runs every cycle.
    pub(super) fn optimisation(&self) -> &'static str {
        match self.profile {
            Profile::Fast => "-O2",
            Profile::Quick => "-Og",
            Profile::Draft => SLOW,
        }
    }
}
