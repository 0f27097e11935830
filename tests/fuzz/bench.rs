//! One test bench for many kernels: the same stimuli for all, the expected outputs from a file.
use super::kernel::Kernel;
use super::{mask, Rng};
use rust_hdl::core::atom::AtomKind;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Bits of a stimulus, and of a kernel's outputs together.
const WORD: usize = 2048;
/// Stimuli a kernel.
const STIMULI: usize = 16;

/// Hexadecimal digits of values side by side, first lowest.
fn word(parts: &[(u128, usize)]) -> String {
    let mut bits = vec![0_u8; WORD];
    let mut at = 0;
    for (value, width) in parts {
        for bit in 0..*width {
            bits[at] = (value >> bit & 1) as u8;
            at += 1;
        }
    }
    let digit =
        |four: &[u8]| char::from_digit(four.iter().rev().fold(0, |n, bit| n << 1 | u32::from(*bit)), 16);
    bits.chunks(4).rev().filter_map(digit).collect()
}

/// Values of a word's bits for the inputs of a kernel.
fn inputs(kernel: &Kernel, stimulus: &[u128]) -> Vec<Vec<u128>> {
    let mut next = stimulus.iter().cycle();
    let mut value = |width: usize| next.next().unwrap_or(&0) & mask(width);
    let wires = kernel.wires(AtomKind::InputParameter);
    wires.map(|(_, wire)| (0..wire.count.unwrap_or(1)).map(|_| value(wire.width)).collect()).collect()
}

/// Writes the bench of `kernels`, with modules `case_0`, .., into `directory`.
pub fn write(directory: &Path, kernels: &[Kernel], modules: &str, rng: &mut Rng) {
    let stimuli: Vec<Vec<u128>> = (0..STIMULI).map(|_| (0..40).map(|_| rng.value(52)).collect()).collect();
    let mut text = format!("{modules}\nmodule bench;\n");
    let _ = writeln!(text, "  reg [{}:0] stimuli [0:{}];", WORD - 1, STIMULI - 1);
    let _ = writeln!(text, "  reg [{}:0] wanted [0:{}];", WORD - 1, STIMULI * kernels.len() - 1);
    let _ = writeln!(text, "  reg [{}:0] x;\n  integer s;", WORD - 1);
    let mut checks = String::new();
    let mut wanted: Vec<String> = vec![String::new(); STIMULI * kernels.len()];
    for (number, kernel) in kernels.iter().enumerate() {
        let mut connections = vec![];
        // The elements of a stimulus are 52 bits apart; a narrower input takes the low ones.
        let mut at = 0;
        for (_, wire) in kernel.wires(AtomKind::InputParameter) {
            let elements = (0..wire.count.unwrap_or(1)).map(|_| {
                at += 52;
                format!("x[{} +: {}]", at - 52, wire.width)
            });
            let elements: Vec<String> = elements.collect();
            let elements: Vec<String> = elements.into_iter().rev().collect();
            connections.push(format!(".{}({{{}}})", wire.name, elements.join(", ")));
        }
        let mut low = 0;
        for (_, wire) in kernel.wires(AtomKind::OutputParameter) {
            let total = wire.width * wire.count.unwrap_or(1);
            connections.push(format!(".{}(y_{number}[{low} +: {total}])", wire.name));
            low += total;
        }
        let _ = writeln!(text, "  wire [{}:0] y_{number};", low - 1);
        let _ = writeln!(text, "  case_{number} c_{number} ({});", connections.join(", "));
        let wanted_at = format!("wanted[s*{} + {number}][{}:0]", kernels.len(), low - 1);
        let _ = writeln!(
            checks,
            "      if (y_{number} !== {wanted_at}) $display(\"MISMATCH case {number} stimulus %0d: %h, not %h\", s, y_{number}, {wanted_at});"
        );
        for (s, stimulus) in stimuli.iter().enumerate() {
            let outputs = kernel.run(&inputs(kernel, stimulus));
            let wires = kernel.wires(AtomKind::OutputParameter);
            let parts: Vec<(u128, usize)> = wires
                .zip(&outputs)
                .flat_map(|((_, wire), values)| values.iter().map(|value| (*value, wire.width)))
                .collect();
            wanted[s * kernels.len() + number] = word(&parts);
        }
    }
    let _ = writeln!(text, "  initial begin");
    let _ =
        writeln!(text, "    $readmemh(\"stimuli.hex\", stimuli);\n    $readmemh(\"wanted.hex\", wanted);");
    let _ = writeln!(
        text,
        "    for (s = 0; s < {STIMULI}; s = s + 1) begin\n      x = stimuli[s];\n      #1;\n{checks}    end"
    );
    let _ = writeln!(text, "    $display(\"DONE\");\n    $finish;\n  end\nendmodule");
    let lines: Vec<String> = stimuli
        .iter()
        .map(|values| word(&values.iter().take(39).map(|v| (*v, 52)).collect::<Vec<_>>()))
        .collect();
    fs::write(directory.join("stimuli.hex"), lines.join("\n") + "\n").unwrap();
    fs::write(directory.join("wanted.hex"), wanted.join("\n") + "\n").unwrap();
    fs::write(directory.join("bench.v"), text).unwrap();
}

fn run(directory: &Path, program: &str, arguments: &[&str]) -> String {
    // A combinational loop would make a simulator run for ever.
    let output = Command::new("timeout")
        .arg("300")
        .arg(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} failed:\n{text}");
    text
}

/// What Icarus Verilog prints.
pub fn icarus(directory: &Path) -> String {
    run(directory, "iverilog", &["-g2001", "-o", "bench.vvp", "bench.v"]);
    run(directory, "vvp", &["-n", "bench.vvp"])
}

/// What Verilator's model prints. It is compiled without `make`, which does not work in folders with spaces.
pub fn verilator(directory: &Path) -> String {
    // What an earlier run has left would be compiled too.
    let _ = fs::remove_dir_all(directory.join("model"));
    let quiet = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-STMTDLY"];
    let rest = ["--top-module", "bench", "--Mdir", "model", "bench.v"];
    let verilate = ["--cc", "--main", "--timing", "-O1"];
    run(directory, "verilator", &[verilate.as_slice(), &quiet, &rest].concat());
    let root = run(directory, "verilator", &["--getenv", "VERILATOR_ROOT"]);
    let include = format!("{}/include", root.trim());
    // In one piece: each file would read the headers of coroutines again.
    let library =
        ["verilated", "verilated_timing", "verilated_threads"].map(|part| format!("{include}/{part}.cpp"));
    let model = fs::read_dir(directory.join("model")).unwrap().map(|file| file.unwrap().path());
    let sources = model.filter(|path| path.extension().is_some_and(|extension| extension == "cpp"));
    let includes = sources.map(|path| path.to_str().unwrap().to_owned()).chain(library);
    let whole: String = includes.map(|path| format!("#include \"{path}\"\n")).collect();
    fs::write(directory.join("model/whole.cc"), whole).unwrap();
    let folders = [format!("-I{include}"), format!("-I{include}/vltstd"), "-Imodel".into()];
    let options =
        ["-std=c++20", "-fcoroutines", "-O0", "-w", "-pthread", "-o", "model/bench", "model/whole.cc"];
    let arguments: Vec<&str> = folders.iter().map(String::as_str).chain(options).collect();
    run(directory, "g++", &arguments);
    run(directory, "./model/bench", &[])
}
