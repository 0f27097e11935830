//! The result: modules, leaves first, and how they become files.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

    /// Bytes of all modules.
    pub fn bytes(&self) -> usize {
        self.modules.iter().map(|module| module.text.len()).sum()
    }

    /// Names of the files, in the order of the modules.
    pub fn files(&self) -> Vec<String> {
        self.modules.iter().map(|module| format!("{}.v", module.name)).collect()
    }

    /// Writes one file a module, `<name>.v`, and `heddle.f` that lists them.
    ///
    /// Everything is first written beside its place and then renamed, so that a full disk leaves the directory
    /// as it was. Files that an earlier `heddle.f` lists and that this design does not have are removed: what
    /// lies there is one design and not a mixture of two.
    ///
    /// # Errors
    /// The directory or a file cannot be written; the message names it.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory).map_err(at(directory))?;
        let earlier = fs::read_to_string(directory.join(FILE_LIST)).unwrap_or_default();
        let files = self.files();
        let list = files.join("\n") + "\n";
        let mut staged = Staged::default();
        for (file, module) in files.iter().zip(&self.modules) {
            staged.write(directory.join(file), &module.text)?;
        }
        staged.write(directory.join(FILE_LIST), &list)?;
        staged.publish()?;

        // Only plain Verilog files of this very directory: the list is a file that anyone can edit.
        let plain = |file: &str| file.ends_with(".v") && !file.contains(['/', '\\']);
        for stale in earlier.lines().filter(|&old| plain(old) && !files.iter().any(|new| new == old)) {
            let path = directory.join(stale);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&path)(error)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Adds the path to what the system says.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Files that have been written beside their places; removed again unless they are published.
#[derive(Default)]
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    fn write(&mut self, path: PathBuf, text: &str) -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        self.0.push((temporary.clone(), path));
        fs::write(&temporary, text).map_err(at(&temporary))
    }

    fn publish(mut self) -> io::Result<()> {
        while let Some((temporary, path)) = self.0.last() {
            fs::rename(temporary, path).map_err(at(path))?;
            self.0.pop();
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (temporary, _) in &self.0 {
            // It may never have come into being, and the error that led here is the one to report.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(modules: &[(&str, &str)]) -> Design {
        let module = |&(name, text): &(&str, &str)| Module { name: name.into(), text: text.into() };
        Design { top: "top".into(), modules: modules.iter().map(module).collect() }
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_design_replaces_the_one_before() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("a/out");
        design(&[("a", "1"), ("b", "2")]).write(&out).unwrap();
        assert_eq!(names(&out), ["a.v", "b.v", FILE_LIST]);
        let precious = directory.path().join("a/precious.v");
        fs::write(&precious, "").unwrap();
        fs::write(out.join("mine.v"), "").unwrap();
        fs::write(out.join(FILE_LIST), "a.v\nb.v\n../precious.v\nnever.v\n\n").unwrap();
        design(&[("b", "3"), ("c", "4")]).write(&out).unwrap();
        assert_eq!(names(&out), ["b.v", "c.v", FILE_LIST, "mine.v"]);
        assert_eq!(fs::read_to_string(out.join("b.v")).unwrap(), "3");
        assert_eq!(fs::read_to_string(out.join(FILE_LIST)).unwrap(), "b.v\nc.v\n");
        assert!(precious.exists());
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        // The second file's directory does not exist.
        let error = design(&[("a", "1"), ("no/b", "2")]).write(directory.path()).unwrap_err();
        assert!(error.to_string().contains("no/b.v"), "{error}");
        assert!(names(directory.path()).is_empty());
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(design(&[]).write(&file).unwrap_err().to_string().contains("file"));
    }
}
