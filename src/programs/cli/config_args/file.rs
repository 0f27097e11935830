//! The value of `--config`.

use std::io::ErrorKind;
use std::path::PathBuf;

use files::read_at_most;
use spec::config::CoreConfig;

/// More bytes than any file of a configuration has.
const MOST_BYTES: u64 = 1 << 20;

/// A file of a configuration. It is read once, however often it is asked for: a pipe cannot be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    pub(super) path: PathBuf,
    text: String,
}

impl ConfigFile {
    /// # Errors
    /// It cannot be read, or can be no configuration.
    pub(super) fn read(path: PathBuf) -> Result<Self, String> {
        let bytes = read_at_most(&path, MOST_BYTES).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => format!("{error}, which no configuration is: name a TOML file"),
            _ => error.to_string(),
        })?;
        let text = String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8: name a TOML file")?;
        Ok(Self { path, text })
    }

    /// `base` with the fields that the file names, in tables too.
    pub(super) fn over(&self, base: &CoreConfig) -> Result<CoreConfig, String> {
        // Parsed as a configuration of its own first: that error points at the line of an unknown or mistyped field.
        toml::from_str::<CoreConfig>(&self.text).map_err(|e| e.to_string())?;
        let file: toml::Table = toml::from_str(&self.text).map_err(|e| e.to_string())?;
        let mut table = toml::Table::try_from(base).map_err(|e| e.to_string())?;
        merge(&mut table, file);
        table.try_into().map_err(|e: toml::de::Error| e.to_string())
    }
}

fn merge(base: &mut toml::Table, file: toml::Table) {
    for (key, value) in file {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(changes)) => merge(inner, changes),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}
