//! The program `bench` from outside.

use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn mistakes_end_with_2() {
    for (arguments, message) in [
        (&["--compare", "nosuch"][..], "invalid value 'nosuch'"),
        (&[], "--experiment"),
        (&["--compare", "vortex", "--presets", "huge"], "invalid value 'huge'"),
        (&["--compare", "vortex", "--json", "--markdown"], "cannot be used with"),
    ] {
        let output = bench(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn experiments_are_listed() {
    let output = bench(&["--list"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("vortex "), "{}", text(&output.stdout));
}

#[test]
fn figures_stand_beside_vortexs() {
    let arguments = "--compare vortex --presets tiny,small --no-fpu --quick --only empty --json";
    let output = bench(&arguments.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    for (line, shape) in lines.iter().zip(["2x2", "4x4"]) {
        assert_eq!((&line["figure"], &line["shape"]), (&"empty".into(), &shape.into()));
        assert_eq!(line["unit"], "cycles");
        assert!(line["heddle"].as_f64().unwrap() > 50.0);
    }
    assert!(lines[0]["vortex"].is_null(), "nobody has measured it at 2x2");
    assert_eq!(lines[1]["vortex"], 1969.0);
    let faster = 1969.0 / lines[1]["heddle"].as_f64().unwrap();
    assert!((lines[1]["times_faster"].as_f64().unwrap() - faster).abs() < 0.001);
}
