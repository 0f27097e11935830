//! The script that runs riscv-tests, on tests of the same form: those of the RISC-V project are not part of this one.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Test 7 of a program, as the macros of riscv-tests have it: passes if 3 + 4 is `sum`.
fn program(sum: u32) -> String {
    format!(
        "#include \"riscv_test.h\"\n#include \"test_macros.h\"\nRVTEST_RV32U\nRVTEST_CODE_BEGIN\n\
         li TESTNUM, 7\n li a0, 3\n addi a0, a0, 4\n li a1, {sum}\n bne a0, a1, fail\n\
         RVTEST_PASS\nfail: RVTEST_FAIL\nRVTEST_CODE_END\n\
         .data\nRVTEST_DATA_BEGIN\n .word 0\nRVTEST_DATA_END\n"
    )
}

fn run(folder: &Path) -> Output {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/riscv_tests.sh"))
        .arg(folder)
        .args(["--preset", "tiny", "--engine", "model"])
        .env("SETS", "rv32ui")
        .env("SIM", env!("CARGO_BIN_EXE_sim"))
        .output()
        .unwrap()
}

#[test]
fn riscv_tests_pass_or_name_the_test_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let [macros, tests] = ["isa/macros/scalar", "isa/rv32ui"].map(|of| folder.path().join(of));
    assert_eq!(run(folder.path()).status.code(), Some(2), "there are no riscv-tests yet");
    for folder in [&macros, &tests] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(macros.join("test_macros.h"), "").unwrap();
    fs::write(tests.join("good.S"), program(7)).unwrap();
    fs::write(tests.join("ma_data.S"), "not compiled").unwrap();
    let output = run(folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::write(tests.join("bad.S"), program(8)).unwrap();
    let output = run(folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("rv32ui-bad") && said.contains("exit code 7"), "{said}");
}
