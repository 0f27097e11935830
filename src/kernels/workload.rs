//! A kernel at a problem size: what it needs of a core, how it starts, and whether what it leaves behind is right.
use std::collections::BTreeMap;

use super::{check_extensions, Kernel, KernelError, KERNELS};
use isa::Extensions;
use model::GridLaunch;
use spec::config::CoreConfig;

/// A kernel at a problem size.
#[derive(Clone, Copy)]
pub struct Workload {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// Its problem size; 0 for kernels without one.
    pub n: u32,
}

/// What a run left behind.
pub struct Outcome<'a> {
    /// The core it ran on.
    pub config: &'a CoreConfig,
    /// Addresses of the executable's symbols.
    pub symbols: &'a BTreeMap<String, u32>,
    /// Reads an aligned word of the final memory.
    pub word: &'a dyn Fn(u32) -> u32,
    /// All that was printed.
    pub console: &'a str,
}

/// The workload that `NAME` or `NAME:N` stands for.
///
/// # Errors
/// An unknown name, or a size that the kernel cannot have.
pub fn select(text: &str) -> Result<Workload, KernelError> {
    let (name, size) = text.split_once(':').map_or((text, None), |(name, size)| (name, Some(size)));
    let kernel = KERNELS.iter().find(|k| k.name == name).ok_or_else(|| KernelError::Unknown {
        name: name.into(),
        valid: KERNELS.iter().map(|k| k.name).collect(),
    })?;
    let bad =
        |text: &str, rule: String| KernelError::BadSize { kernel: kernel.name, text: text.into(), rule };
    let n = match (size, kernel.size) {
        (None, own) => own.map_or(0, |s| s.default),
        (Some(text), None) => return Err(bad(text, "the kernel has no size".into())),
        (Some(text), Some(own)) => match text.parse() {
            Ok(n) if (1..=own.max).contains(&n) => n,
            _ => {
                return Err(bad(
                    text,
                    format!("the size ({}) is a number from 1 to {}", own.meaning, own.max),
                ))
            }
        },
    };
    Ok(Workload { kernel, n })
}

impl Workload {
    /// Whether a core can run the kernel.
    ///
    /// # Errors
    /// If the core lacks something.
    pub fn check_core(&self, config: &CoreConfig) -> Result<(), KernelError> {
        let needed = Extensions { fpu: self.kernel.needs_fpu, ..Extensions::default() };
        check_extensions(self.kernel.name, needed, config)?;
        let (needed, found) = ((self.kernel.local_bytes)(config), config.local_mem_bytes);
        if needed > found {
            let CoreConfig { warps, threads, .. } = *config;
            let workload = self.to_string();
            return Err(KernelError::NeedsLocalMemory { workload, needed, found, warps, threads });
        }
        for launch in self.resolved(config, &|_| Some(0))? {
            launch.check(config).map_err(|error| KernelError::Launch(self.to_string(), error))?;
        }
        Ok(())
    }

    /// The grids to run one after another, given the addresses of the executable's symbols; none if the kernel starts
    /// warps itself.
    ///
    /// # Errors
    /// If a symbol is missing.
    pub fn launches(
        &self,
        config: &CoreConfig,
        symbols: &BTreeMap<String, u32>,
    ) -> Result<Vec<GridLaunch>, KernelError> {
        self.resolved(config, &|symbol| symbols.get(symbol).copied())
    }

    fn resolved(
        &self,
        config: &CoreConfig,
        address: &dyn Fn(&str) -> Option<u32>,
    ) -> Result<Vec<GridLaunch>, KernelError> {
        let launches = self.kernel.launches.map(|launches| launches(self.n, config)).unwrap_or_default();
        let resolved = launches.iter().map(|launch| launch.resolve(address));
        resolved.collect::<Result<_, _>>().map_err(KernelError::NoSymbol)
    }

    /// Compares the results in memory and on the console with the host's.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, outcome: &Outcome) -> Result<(), KernelError> {
        let reference = (self.kernel.reference)(self.n, outcome.config);
        // The inputs too: a stray store may have hit them.
        for (symbol, expected) in reference.outputs.iter().chain(&reference.inputs) {
            let address = *outcome.symbols.get(*symbol).ok_or(KernelError::NoSymbol(symbol))?;
            for (index, &expected) in expected.iter().enumerate() {
                let found = (outcome.word)(address + 4 * index as u32);
                if found != expected {
                    return Err(KernelError::WrongResult { symbol, index, found, expected });
                }
            }
        }
        for (symbol, expected, tolerance) in &reference.close {
            let address = *outcome.symbols.get(*symbol).ok_or(KernelError::NoSymbol(symbol))?;
            for (index, &expected) in expected.iter().enumerate() {
                let found = f32::from_bits((outcome.word)(address + 4 * index as u32));
                let tolerance = tolerance * expected.abs().max(1.0);
                // A NaN is far from everything.
                let near = (f64::from(found) - expected).abs() <= tolerance;
                if !near {
                    return Err(KernelError::FarResult { symbol, index, found, expected, tolerance });
                }
            }
        }
        match reference.console.into_iter().find(|text| !outcome.console.contains(text.as_str())) {
            Some(expected) => Err(KernelError::WrongConsole { expected }),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kernel.size {
            Some(_) => write!(f, "{}:{}", self.kernel.name, self.n),
            None => f.write_str(self.kernel.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes_are_parsed() {
        assert_eq!(select("sgemm").unwrap().to_string(), "sgemm:32");
        assert_eq!(select("sgemm:7").unwrap().n, 7);
        assert_eq!(select("hello").unwrap().to_string(), "hello");
    }

    #[test]
    fn wrong_names_and_sizes_say_what_is_right() {
        let message = |text| select(text).err().unwrap().to_string();
        let unknown = message("nosuch");
        for kernel in KERNELS {
            assert!(unknown.contains(kernel.name), "{unknown}");
        }
        for bad in ["vecadd:0", "vecadd:-1", "vecadd:", "vecadd:ten", "vecadd:99999999999"] {
            assert!(message(bad).contains("from 1 to"), "{bad}");
        }
        assert!(message("hello:3").contains("no size"));
    }

    /// The check must notice each single wrong word.
    #[test]
    fn a_wrong_word_is_found() {
        let workload = select("psort:9").unwrap();
        let config = CoreConfig::default();
        let reference = (workload.kernel.reference)(9, &config);
        let symbols: BTreeMap<String, u32> = [("keys".into(), 0), ("sorted".into(), 0x100)].into();
        let value = |address: u32| match address {
            0..0x100 => reference.inputs[0].1[address as usize / 4],
            _ => reference.outputs[0].1[(address as usize - 0x100) / 4],
        };
        let run = |word: &dyn Fn(u32) -> u32| {
            workload.check(&Outcome { config: &config, symbols: &symbols, word, console: "" })
        };
        assert!(run(&value).is_ok());
        for address in (0..36).step_by(4).chain((0x100..0x124).step_by(4)) {
            let damaged = |a| value(a) ^ u32::from(a == address);
            assert!(matches!(run(&damaged), Err(KernelError::WrongResult { .. })), "{address:#x}");
        }
    }
}
