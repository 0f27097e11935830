//! The toy core through the back end.
use crate::fixtures::toy_core::Core;
use hdl::verilog::{emit, Design, VerilogError};
use std::path::Path;

fn emit_core(size: usize) -> Design {
    let list =
        |errors: Vec<VerilogError>| errors.iter().map(|error| format!("{error}\n")).collect::<String>();
    emit(&mut Core::new(size, size, 1), "toy_core", &[]).map_err(list).unwrap()
}

#[test]
fn there_is_one_module_for_each_distinct_body() {
    for size in [4, 32] {
        let design = emit_core(size);
        let names: Vec<&str> = design.modules.iter().map(|module| module.name.as_str()).collect();
        let ram = format!("SyncRam_{}x32", 32 * size);
        assert_eq!(names, ["IQueue", "WarpSched", &ram, "RegFile", "AluLane", "AluArray", "toy_core"]);
    }
}

#[test]
fn files_of_an_earlier_generation_are_removed() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toy_core_stale");
    emit_core(32).write(&directory).unwrap();
    assert!(directory.join("SyncRam_1024x32.v").exists());
    emit_core(4).write(&directory).unwrap();
    assert!(!directory.join("SyncRam_1024x32.v").exists());
    let list = std::fs::read_to_string(directory.join("heddle.f")).unwrap();
    let mut files: Vec<&str> = list.lines().collect();
    files.extend(["heddle.core", "heddle.f"]);
    files.sort_unstable();
    let mut found: Vec<String> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!(found, files);
}

#[test]
fn emission_is_deterministic() {
    assert_eq!(emit_core(8), emit_core(8));
}
