//! The configurations that have names.

use super::CoreConfig;

/// A named configuration: the same names serve the command line, the golden outputs, CI and the tables.
pub struct Preset {
    /// The name that `--preset` takes.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    warps: usize,
    threads: usize,
    slices: usize,
    cache_banks: usize,
    fpu: bool,
    /// With branch prediction, blocks that start warp by warp, and skewed local memory.
    fast: bool,
}

/// All presets, smallest first.
pub const PRESETS: &[Preset] = &[
    Preset {
        fpu: false,
        ..preset("tiny", "2 warps x 2 lanes without floating point, the golden output", 2, 2)
    },
    preset("small", "4 warps x 4 lanes, the default", 4, 4),
    preset("medium", "8 warps x 8 lanes", 8, 8),
    preset("large", "16 warps x 16 lanes", 16, 16),
    Preset {
        slices: 2,
        cache_banks: 2,
        ..preset(
            "dual",
            "16 warps x 16 lanes in 2 slices, as Vortex issues at that size, 2 banks of the data cache",
            16,
            16,
        )
    },
    fast(
        "small-fast",
        "small for speed: 2 slices, 2 banks, branch prediction, blocks start warp by warp, skewed local memory",
        4,
        4,
    ),
    fast("medium-fast", "medium for speed, likewise", 8, 8),
    fast("large-fast", "large for speed, likewise", 16, 16),
    Preset { slices: 4, ..preset("quad", "16 warps x 16 lanes in 4 slices (KAWS)", 16, 16) },
    preset("paper", "32 warps x 32 lanes (SWaS VI-A2)", 32, 32),
    Preset {
        slices: 4,
        ..preset(
            "pascal",
            "64 warps x 8 lanes in 4 slices, the warps and schedulers of a Pascal SM (KAWS)",
            64,
            8,
        )
    },
];

const fn preset(name: &'static str, summary: &'static str, warps: usize, threads: usize) -> Preset {
    Preset { name, summary, warps, threads, slices: 1, cache_banks: 1, fpu: true, fast: false }
}

const fn fast(name: &'static str, summary: &'static str, warps: usize, threads: usize) -> Preset {
    Preset { slices: 2, cache_banks: 2, fast: true, ..preset(name, summary, warps, threads) }
}

impl CoreConfig {
    /// The preset of that name, or `None`.
    pub fn preset(name: &str) -> Option<Self> {
        let &Preset { warps, threads, slices, cache_banks, fpu, fast, .. } =
            PRESETS.iter().find(|p| p.name == name)?;
        let base = Self { warps, threads, slices, cache_banks, fpu, ..Self::default() };
        Some(Self { btfn: fast, warp_dispatch: fast, local_mem_skew: fast, ..base })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_valid() {
        for p in PRESETS {
            assert_eq!(CoreConfig::preset(p.name).unwrap().validate(), Ok(()), "{}", p.name);
        }
        assert!(CoreConfig::preset("enormous").is_none());
    }
}
