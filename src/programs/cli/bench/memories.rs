//! Memories to compare on.

use std::str::FromStr;

use cosim::memory::{MemoryKind, ParseMemoryError};

/// One memory model or several, with commas between them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memories(pub Vec<MemoryKind>);

impl FromStr for Memories {
    type Err = ParseMemoryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut models: Vec<String> = vec![];
        for part in text.split(',') {
            match models.last_mut() {
                // A parameter of the model before it, as banks in dram:mhz=100,banks=8.
                Some(model) if part.contains('=') && !part.contains(':') => *model += &format!(",{part}"),
                _ => models.push(part.to_owned()),
            }
        }
        models.iter().map(|model| model.parse()).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_part_models_and_parameters() {
        let names = |text: &str| {
            let memories: Memories = text.parse().unwrap();
            memories.0.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names("ideal,fixed:9"), ["ideal", "fixed:9"]);
        assert_eq!(names("dram:mhz=100,banks=4,ideal").len(), 2);
        assert_eq!(names("dram:mhz=100,dram:banks=4").len(), 2);
        for wrong in ["", "ideal,", "ideal,slow", "mhz=100"] {
            assert!(wrong.parse::<Memories>().is_err(), "{wrong}");
        }
    }
}
