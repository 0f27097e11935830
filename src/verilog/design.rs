//! The result: modules, leaves first, and how they become files.
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Name of the file that lists the others.
pub const FILE_LIST: &str = "heddle.f";

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, which is also the stem of its file.
    pub name: String,
    /// Its complete text, header comment included.
    pub text: String,
}

/// A design as Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// Name of the top module.
    pub top: String,
    /// All modules; a module stands after those it contains.
    pub modules: Vec<Module>,
}

impl Design {
    /// All modules in one text.
    pub fn concat(&self) -> String {
        self.modules.iter().map(|module| module.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Writes one file a module, `<name>.v`, and `heddle.f` that lists them.
    ///
    /// Each file appears complete or not at all. Files that an earlier `heddle.f` lists and that this
    /// design does not have are removed.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory)?;
        let list_path = directory.join(FILE_LIST);
        let files: Vec<String> = self.modules.iter().map(|module| format!("{}.v", module.name)).collect();
        let earlier = fs::read_to_string(&list_path).unwrap_or_default();
        for (file, module) in files.iter().zip(&self.modules) {
            replace(&directory.join(file), &module.text)?;
        }
        replace(&list_path, &(files.join("\n") + "\n"))?;
        let present: BTreeSet<&str> = files.iter().map(String::as_str).collect();
        for stale in earlier.lines().filter(|file| !present.contains(file)) {
            // Only plain Verilog files of this very directory: the list is a file that anyone can edit.
            if stale.ends_with(".v") && !stale.contains(['/', '\\']) {
                match fs::remove_file(directory.join(stale)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Writes beside `path` and renames.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}
