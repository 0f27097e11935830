use std::io::Read;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::process::Command;

use super::*;
use crate::publish;

fn write(path: &Path, text: &str) -> io::Result<()> {
    publish(path, |scratch| fs::write(scratch, text))
}

/// How many entries a directory has, those that should have been removed too.
fn count(directory: &Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

#[test]
fn links_stay_and_what_they_lead_to_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let [link, there, missing, circle] =
        ["link", "to/there", "to/missing", "circle"].map(|name| directory.path().join(name));
    fs::create_dir(directory.path().join("to")).unwrap();
    fs::write(&there, "old").unwrap();
    for target in [&there, &missing] {
        // A relative link to a link.
        let _ = (fs::remove_file(&link), fs::remove_file(directory.path().join("to/link")));
        symlink(target, directory.path().join("to/link")).unwrap();
        symlink("to/link", &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(target).unwrap(), "new");
    }
    symlink("circle", &circle).unwrap();
    assert!(write(&circle, "new").is_err());
    assert_eq!((count(directory.path()), count(&directory.path().join("to"))), (3, 3), "no scratch is left");
}

/// A pipe needs no rights to be made; devices are tested with the programs.
#[test]
fn a_pipe_is_written_to() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut text = String::new();
            File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
            text
        }
    });
    write(&pipe, "through").unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn a_write_protected_file_stays_and_permissions_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).unwrap();
    let error = write(&path, "new").unwrap_err();
    assert!(error.to_string().contains("chmod u+w"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    write(&path, "new").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), count(directory.path())), ("new", 1));
}

#[test]
fn a_file_is_one_by_whatever_path() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("file"), "").unwrap();
    fs::hard_link(at("file"), at("hard")).unwrap();
    symlink("../file", at("sub/soft")).unwrap();
    symlink("missing", at("dangling")).unwrap();
    for (one, other) in [
        ("file", "hard"),
        ("file", "sub/soft"),
        ("sub/../file", "file"),
        ("missing", "dangling"),
        ("missing", "sub/../missing"),
    ] {
        assert!(Identity::of(&at(one)).is_some(), "{one}");
        assert_eq!(Identity::of(&at(one)), Identity::of(&at(other)), "{one}, {other}");
    }
    assert_ne!(Identity::of(&at("missing")), Identity::of(&at("missing2")));
    assert_ne!(Identity::of(&at("missing")), Identity::of(&at("sub/missing")));
    assert_eq!(Identity::of(Path::new("/dev/null")), None);
    assert_eq!(Identity::of(&at("nowhere/file")), None);
}

#[test]
fn staged_files_come_together_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("a"), "old").unwrap();
    let failed = together(directory.path(), |staged| {
        staged.write(&at("a"), "new")?;
        assert_eq!(fs::read_to_string(at("a")).unwrap(), "old");
        staged.remove(&at("a"));
        staged.write(&at("nowhere/b"), "new")
    });
    assert!(failed.unwrap_err().to_string().contains("nowhere/b"));
    assert_eq!((fs::read_to_string(at("a")).unwrap().as_str(), count(directory.path())), ("old", 1));

    // Killed in the midst of it.
    let mut child = std::process::Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    let [begun, other] = ["b", "c"].map(|name| at(&format!("{name}.{}.7", child.id())));
    for path in [&begun, &other] {
        fs::write(path, "half").unwrap();
    }
    together(directory.path(), |staged| {
        staged.remove(&at("a"));
        staged.remove(&at("none"));
        staged.write(&at("b"), "new")
    })
    .unwrap();
    assert_eq!(fs::read_to_string(at("b")).unwrap(), "new");
    assert_eq!((at("a").exists(), other.exists()), (false, true), "what is nobody's stays");
    assert_eq!(begun.exists(), !Path::new("/proc/self").exists());
}
