//! The memory models by name.

use std::fmt;
use std::str::FromStr;

use super::dram::{self, DramConfig};
use super::timing::MemoryModel;

/// Answers after a fixed number of cycles; takes a request every cycle, answers in order.
struct FixedLatency(u64);

impl MemoryModel for FixedLatency {
    fn due(&mut self, cycle: u64, _line: u32, _write: bool) -> Option<u64> {
        Some(cycle + self.0)
    }

    fn rests(&self) -> bool {
        true
    }
}

/// The memory models by name, as `--mem` takes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryKind {
    /// Answers in the next cycle.
    #[default]
    Ideal,
    /// Answers after so many cycles, 1 at least.
    Fixed(u32),
    /// A DRAM channel.
    Dram(DramConfig),
}

impl MemoryKind {
    /// Help text for the command line.
    pub const SYNTAX: &'static str = "ideal | fixed:N | dram[:NAME=VALUE,...]";
    const MAX_LATENCY: u32 = 100_000;

    /// A fresh model of this kind.
    pub fn model(self) -> Box<dyn MemoryModel> {
        match self {
            Self::Ideal | Self::Fixed(_) => Box::new(FixedLatency(u64::from(self.longest_latency()))),
            Self::Dram(cfg) => dram::model(cfg),
        }
    }

    /// The most cycles that lie between a request and its response.
    pub fn longest_latency(self) -> u32 {
        match self {
            Self::Ideal => 1,
            Self::Fixed(cycles) => cycles.max(1),
            Self::Dram(cfg) => cfg.longest(),
        }
    }
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ideal => f.write_str("ideal"),
            Self::Fixed(cycles) => write!(f, "fixed:{cycles}"),
            Self::Dram(cfg) => write!(f, "{cfg}"),
        }
    }
}

/// Not the name of a memory model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMemoryError {
    /// There is no such model, or its number is not one.
    #[error("unknown memory model `{0}`; valid ones are {syntax}, N from 1 to {max}",
            syntax = MemoryKind::SYNTAX, max = MemoryKind::MAX_LATENCY)]
    Unknown(String),
    /// A DRAM that is not possible.
    #[error("dram: {0}")]
    Dram(String),
}

impl FromStr for MemoryKind {
    type Err = ParseMemoryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseMemoryError::Unknown(text.to_owned());
        match text.split_once(':') {
            None if text == "ideal" => Ok(Self::Ideal),
            None if text == "dram" => Ok(Self::Dram(DramConfig::default())),
            Some(("dram", settings)) => {
                DramConfig::parse(settings).map(Self::Dram).map_err(ParseMemoryError::Dram)
            }
            Some(("fixed", cycles)) => {
                let cycles = cycles.parse().map_err(|_| error())?;
                (1..=Self::MAX_LATENCY).contains(&cycles).then_some(Self::Fixed(cycles)).ok_or_else(error)
            }
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_printed() {
        for name in ["ideal", "fixed:1", "fixed:50", "dram", "dram:mhz=100,banks=4"] {
            assert_eq!(name.parse::<MemoryKind>().unwrap().to_string(), name);
        }
        for name in
            ["", "fixed", "fixed:", "fixed:0", "fixed:x", "fixed:-1", "ideal:3", "sram", "fixed:999999"]
        {
            let error = name.parse::<MemoryKind>().unwrap_err().to_string();
            assert!(error.contains("ideal | fixed:N"), "{error}");
        }
        let error = "dram:banks=3".parse::<MemoryKind>().unwrap_err().to_string();
        assert_eq!(error, "dram: banks = 3 is not a power of two");
    }
}
