//! How the values of parameters are written, on the command line and in files.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::Deserialize;

use super::{BusKind, CacheConfig, DataCacheConfig};

/// A type that a parameter may be of.
pub(super) trait Value: for<'de> Deserialize<'de> {
    /// Takes the value of an option; what that leaves open stays as it is.
    ///
    /// # Errors
    /// What was expected instead.
    fn read(&mut self, text: &str) -> Result<(), String>;

    /// As the value of an option.
    fn write(&self) -> String;

    /// Takes the value of a file.
    ///
    /// # Errors
    /// What was expected instead.
    fn from_file<'de, D: Deserializer<'de>>(file: D) -> Result<Self, D::Error> {
        Self::deserialize(file)
    }

    /// The value that a [`Range`](super::Range) is about, if it is a number.
    fn number(&self) -> Option<usize> {
        None
    }

    /// Whether there is no value, and nothing to write into a file.
    fn is_missing(&self) -> bool {
        false
    }
}

/// Bytes, `K` for 1024 of them.
///
/// # Errors
/// What was expected instead.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1024),
        None => (text, 1),
    };
    let bytes = digits.parse::<usize>().ok().and_then(|n| n.checked_mul(unit));
    bytes.ok_or_else(|| "expected bytes, as in 16384 or 16K".into())
}

impl Value for usize {
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = parse_size(text).map_err(|_| "expected a whole number (K for 1024)")?;
        Ok(())
    }

    fn write(&self) -> String {
        self.to_string()
    }

    fn from_file<'de, D: Deserializer<'de>>(file: D) -> Result<Self, D::Error> {
        file.deserialize_u64(WholeNumber)
    }

    fn number(&self) -> Option<usize> {
        Some(*self)
    }
}

/// Names what serde would call `usize`.
struct WholeNumber;

impl Visitor<'_> for WholeNumber {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        usize::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<usize, E> {
        usize::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }
}

impl Value for bool {
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "on" => true,
            "off" => false,
            _ => return Err("expected on or off".into()),
        };
        Ok(())
    }

    fn write(&self) -> String {
        if *self { "on" } else { "off" }.into()
    }
}

impl Value for Option<bool> {
    fn read(&mut self, text: &str) -> Result<(), String> {
        self.insert(false).read(text)
    }

    fn write(&self) -> String {
        self.map_or(String::new(), |on| on.write())
    }

    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl Value for String {
    fn read(&mut self, text: &str) -> Result<(), String> {
        text.clone_into(self);
        Ok(())
    }

    fn write(&self) -> String {
        self.clone()
    }
}

impl Value for BusKind {
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "native" => Self::Native,
            "axi4" => Self::Axi4,
            _ => return Err("valid ones are native, axi4".into()),
        };
        Ok(())
    }

    fn write(&self) -> String {
        match self {
            Self::Native => "native",
            Self::Axi4 => "axi4",
        }
        .into()
    }

    /// A text, as the option has it; serde's own error speaks of tables.
    fn from_file<'de, D: Deserializer<'de>>(file: D) -> Result<Self, D::Error> {
        let mut bus = Self::default();
        bus.read(&String::deserialize(file)?).map_err(D::Error::custom)?;
        Ok(bus)
    }
}

/// `BYTES[:WAYS]`.
impl Value for CacheConfig {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let (size, ways) = text.split_once(':').map_or((text, None), |(size, ways)| (size, Some(ways)));
        if let Some(ways) = ways {
            self.ways = ways.parse().map_err(|_| "expected a number of ways after the colon, as in 16K:2")?;
        }
        self.bytes = parse_size(size)?;
        Ok(())
    }

    fn write(&self) -> String {
        format!("{}:{}", self.bytes, self.ways)
    }
}

/// `BYTES[:WAYS][:wb]`.
impl Value for DataCacheConfig {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let size = text.strip_suffix(":wb");
        let mut cache = CacheConfig { bytes: self.bytes, ways: self.ways };
        cache.read(size.unwrap_or(text))?;
        let CacheConfig { bytes, ways } = cache;
        *self = Self { bytes, ways, write_back: self.write_back || size.is_some() };
        Ok(())
    }

    fn write(&self) -> String {
        format!("{}:{}{}", self.bytes, self.ways, if self.write_back { ":wb" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("16K"), Ok(16384));
        assert_eq!(parse_size("64"), Ok(64));
        let mut cache = CacheConfig { bytes: 1, ways: 3 };
        assert_eq!(cache.read("8k").map(|()| cache.write()), Ok("8192:3".into()));
        assert_eq!(cache.read("4k:2").map(|()| cache.write()), Ok("4096:2".into()));
        let mut cache = DataCacheConfig { bytes: 1, ways: 1, write_back: false };
        assert_eq!(cache.read("256:4").map(|()| cache.write()), Ok("256:4".into()));
        assert_eq!(cache.read("512:wb").map(|()| cache.write()), Ok("512:4:wb".into()));
        assert_eq!(cache.read("256:2").map(|()| cache.write()), Ok("256:2:wb".into()));
        assert!(cache.read("256:wb:4").is_err());
        for bad in ["", "K", "-1", "1M", "99999999999999999999", "16K:", "16K:two", ":2"] {
            assert!(CacheConfig::default().read(bad).is_err(), "{bad}");
        }
    }
}
