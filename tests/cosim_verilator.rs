//! The Verilator binding: build, cache, load, ports, waves, failures.

use std::cell::Cell;
use std::sync::Arc;

use cosim::verilator::{
    build, build_trained, compile, lint, BuildOptions, Direction, Error, ModelLib, Port, Status, Toolchain,
    Training,
};

/// Registers and ports of every storage class.
const PORTS: &str = r"
module widths(
    input clock, input [2:0] b3, input [15:0] h16, input [31:0] w32, input [39:0] q40,
    input [64:0] w65, input [511:0] w512,
    output reg [2:0] b3_q, output reg [15:0] h16_q, output reg [31:0] w32_q, output reg [39:0] q40_q,
    output reg [64:0] w65_q, output reg [511:0] w512_q, output reg [7:0] free
);
always @(posedge clock) begin
    b3_q <= b3; h16_q <= h16; w32_q <= w32; q40_q <= q40; w65_q <= w65; w512_q <= w512;
    free <= free + 8'd1;
end
endmodule
";

const INVERTER: &str = "module m(input a, output y); assign y = !a; endmodule";

/// Options with a cache of the test's own.
fn quick_in(cache: &std::path::Path) -> BuildOptions {
    crate::simulators::share_runtime(cache);
    BuildOptions { cache: Some(cache.to_owned()), ..BuildOptions::draft() }
}

fn loaded(verilog: &str, top: &str) -> Arc<ModelLib> {
    compile(verilog, top, &BuildOptions::draft()).unwrap()
}

cosim::ports! {
    struct WidthPorts {
        clock, b3, b3_q: u8; h16, h16_q: u16; w32, w32_q: u32; q40, q40_q: u64;
        w65, w65_q: [u32; 3]; w512, w512_q: [u32; 16];
    }
}

#[test]
fn typed_ports_of_every_storage_class_carry_values() {
    let library = loaded(PORTS, "widths");
    let p = WidthPorts::bind(&library).unwrap();
    let mut model = library.instance().unwrap();
    let wide: [u32; 16] = std::array::from_fn(|i| 0x9e37_79b9u32.wrapping_mul(i as u32 + 1));
    model.set(p.b3, 0xff);
    model.set(p.h16, 0xbeef);
    model.set(p.w32, 0xdead_beef);
    model.set(p.q40, u64::MAX);
    model.set(p.w65, [1, 2, u32::MAX]);
    model.set(p.w512, wide);
    model.cycles(p.clock, 1).unwrap();
    assert_eq!(model.get(p.b3_q), 7, "bits above the width are dropped");
    assert_eq!(model.get(p.h16_q), 0xbeef);
    assert_eq!(model.get(p.w32_q), 0xdead_beef);
    assert_eq!(model.get(p.q40_q), (1 << 40) - 1);
    assert_eq!(model.get(p.w65_q), [1, 2, 1]);
    assert_eq!(model.borrow(p.w512_q), &wide);
}

#[test]
fn width_agnostic_ports_read_and_write_any_width() {
    let library = loaded(PORTS, "widths");
    let clock: Port<u8> = library.port("clock").unwrap();
    let mut model = library.instance().unwrap();
    let pattern = 0xfedc_ba98_7654_3210u64;
    for (name, width) in [("b3", 3), ("h16", 16), ("w32", 32), ("q40", 40), ("w65", 65), ("w512", 512)] {
        let (input, output) =
            (library.port_ref(name).unwrap(), library.port_ref(&format!("{name}_q")).unwrap());
        assert_eq!(input.width(), width);
        model.write(input, pattern);
        model.cycles(clock, 1).unwrap();
        let kept = if width < 64 { pattern & ((1 << width) - 1) } else { pattern };
        assert_eq!(model.read(output), kept, "{name}");
        for low in 0..width.min(64) {
            let count = 5.min(width - low);
            let expected = kept.checked_shr(low).unwrap_or(0) as u32 & ((1 << count) - 1);
            assert_eq!(model.bits(output, low, count), expected, "{name} from {low}");
        }
        for (low, count) in (0..width).flat_map(|low| [1, 5, 32].map(|count| (low, count.min(width - low)))) {
            let before: Vec<_> = (0..width).map(|bit| model.bits(input, bit, 1)).collect();
            let value = 0x9d6b_2c57u32.rotate_left(low);
            model.write_bits(input, low, count, value);
            for (bit, &before) in (0..width).zip(&before) {
                let written = (low..low + count).contains(&bit);
                let expected = if written { value >> (bit - low) & 1 } else { before };
                assert_eq!(model.bits(input, bit, 1), expected, "{name} bit {bit} of {count} from {low}");
            }
        }
    }
    let (input, output) = (library.port_ref("w512").unwrap(), library.port_ref("w512_q").unwrap());
    let words: Vec<u32> = (0..16).map(|i| 0x0101_0101 * i).collect();
    model.write_words(input, &words);
    model.cycles(clock, 1).unwrap();
    for (i, &word) in words.iter().enumerate() {
        assert_eq!(model.bits(output, 32 * i as u32, 32), word);
    }
    assert_eq!(model.bits(output, 16, 32), words[0] >> 16 | words[1] << 16, "across words");
    assert_eq!(library.find("w512_q").unwrap().direction, Direction::Output);
}

#[test]
fn wrong_names_and_types_are_refused() {
    let library = loaded(PORTS, "widths");
    assert!(matches!(library.port::<u8>("nosuch"), Err(Error::NoPort(name)) if name == "nosuch"));
    let error = library.port::<u8>("w512").err().unwrap().to_string();
    assert_eq!(error, "port `w512` is 512 bits wide, bound as u8");
    assert!(library.port::<[u32; 15]>("w512").is_err());
}

#[test]
fn a_second_build_comes_from_the_cache_and_a_changed_one_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Toolchain::discover().unwrap();
    let verilog = INVERTER;
    let first = build(&tools, verilog, "m", &quick_in(dir.path())).unwrap();
    let second = build(&tools, verilog, "m", &quick_in(dir.path())).unwrap();
    assert!(first.fresh && !second.fresh);
    assert_eq!(first.path, second.path);
    let changed = build(&tools, &verilog.replace('!', ""), "m", &quick_in(dir.path())).unwrap();
    assert!(changed.fresh);
    let names: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!names.iter().any(|n| n.ends_with(".build")), "no build directory stays behind: {names:?}");
}

/// A counter that a profile can say something of: it is to count in the run that trains it.
const COUNTER: &str = "module m(input clock, input up, output reg [31:0] n); always @(posedge clock) \
                       if (up) n <= n + 1; else n <= n * 3; endmodule";

#[test]
fn a_guided_model_is_trained_once_and_does_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Toolchain::with("verilator", "clang++").unwrap();
    let options = BuildOptions { guided: true, ..quick_in(dir.path()) };
    let runs = Cell::new(0);
    let count = |library: Arc<ModelLib>| {
        let (clock, up, n) = (library.port("clock")?, library.port("up")?, library.port::<u32>("n")?);
        let mut model = library.instance()?;
        model.set(up, 1u8);
        model.cycles(clock, 100)?;
        runs.set(runs.get() + 1);
        assert_eq!(model.get(n), 100);
        Ok(())
    };
    let first = build_trained(&tools, COUNTER, "m", &options, &count).unwrap();
    let second = build_trained(&tools, COUNTER, "m", &options, &count).unwrap();
    assert!(first.fresh && !second.fresh && first.path == second.path);
    assert_eq!(runs.get(), 1);
    count(ModelLib::load(&second.path).unwrap()).unwrap();
    let unguided = BuildOptions { guided: false, ..options };
    assert_ne!(build(&tools, COUNTER, "m", &unguided).unwrap().path, first.path);
}

#[test]
fn a_guided_model_needs_clang_and_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let options = BuildOptions { guided: true, ..quick_in(dir.path()) };
    let error = |cxx: &str, training: Training| {
        let tools = Toolchain::with("verilator", cxx).unwrap();
        build_trained(&tools, INVERTER, "m", &options, training).unwrap_err().to_string()
    };
    let wrong = |_| Err(Error::Training("a reason".into()));
    assert!(error("clang++", &wrong).contains("could not be made: a reason"));
    assert!(error("g++", &wrong).contains("needs clang, and `g++` is another compiler"));
    let untrained = build(&Toolchain::with("verilator", "clang++").unwrap(), INVERTER, "m", &options);
    assert!(matches!(untrained, Err(Error::Untrained)));
    let left = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(left.filter(|path| path.extension().is_some_and(|e| e == "so" || e == "build")).count(), 0);
}

/// Loading a damaged library would end the process, or fail without a reason: it is built again instead.
#[test]
fn a_damaged_model_in_the_cache_is_built_again() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Toolchain::discover().unwrap();
    let build = || build(&tools, INVERTER, "m", &quick_in(dir.path())).unwrap();
    let path = build().path;
    let whole = std::fs::read(&path).unwrap();
    let zeroed = || {
        let mut bytes = whole.clone();
        let middle = bytes.len() / 2;
        bytes[middle..][..100].fill(0);
        bytes
    };
    for damaged in [vec![], b"not a library".to_vec(), whole[..whole.len() / 2].to_vec(), zeroed()] {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, damaged).unwrap();
        let built = build();
        assert!(built.fresh && built.damaged);
        ModelLib::load(&built.path).unwrap();
        assert!(!build().damaged);
    }
}

/// As a system's headers are after they have been brought up to date; several builds at once meet it.
#[test]
fn a_compiled_header_that_is_older_than_the_header_is_compiled_again() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Toolchain::discover().unwrap();
    for round in 0..3 {
        std::thread::scope(|scope| {
            for place in 0..3 {
                let (tools, options, name) = (&tools, quick_in(dir.path()), format!("m{round}_{place}"));
                let verilog = format!("module {name}(input a, output y); assign y = !a; endmodule");
                scope.spawn(move || build(tools, &verilog, &name, &options).unwrap());
            }
        });
        for entry in std::fs::read_dir(dir.path()).unwrap() {
            let header = entry.unwrap().path().join("verilated.h");
            if let Ok(text) = std::fs::read_to_string(&header) {
                std::fs::write(&header, text + "// later\n").unwrap();
            }
        }
    }
}

#[test]
fn what_interrupted_builds_have_left_goes_with_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let left = dir.path().join("killed-0.build");
    std::fs::create_dir(&left).unwrap();
    build(&Toolchain::discover().unwrap(), INVERTER, "m", &quick_in(dir.path())).unwrap();
    assert!(!left.exists());
}

#[test]
fn concurrent_builds_of_one_model_build_it_once() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Toolchain::discover().unwrap();
    let verilog = "module m(input a, input b, output y); assign y = a ^ b; endmodule";
    let fresh: usize = std::thread::scope(|scope| {
        let builders: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| build(&tools, verilog, "m", &quick_in(dir.path())).unwrap()))
            .collect();
        builders.into_iter().map(|b| usize::from(b.join().unwrap().fresh)).sum()
    });
    assert_eq!(fresh, 1);
}

#[test]
fn verilog_that_verilator_refuses_is_reported_and_not_cached() {
    let dir = tempfile::tempdir().unwrap();
    let tools = Toolchain::discover().unwrap();
    let error = build(&tools, "module m(input a); wire = ; endmodule", "m", &quick_in(dir.path()));
    let text = error.unwrap_err().to_string();
    assert!(text.contains("top.v:1") && text.contains("syntax error"), "{text}");
    let left = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let nothing = |path: &std::path::Path| path.extension().is_some_and(|e| e == "lock" || e == "runtime");
    assert!(left.into_iter().all(|path| nothing(&path)));
}

#[test]
fn a_missing_compiler_is_named() {
    let error = Toolchain::with("verilator", "/nonexistent/g++").unwrap_err().to_string();
    assert!(error.contains("/nonexistent/g++") && error.contains("apt install clang"), "{error}");
}

#[test]
fn stop_and_finish_come_back_as_results() {
    let library = loaded(
        "module m(input clock, input stop); always @(posedge clock) if (stop) $stop; else $finish; endmodule",
        "m",
    );
    let (clock, stop) = (library.port("clock").unwrap(), library.port("stop").unwrap());
    let mut model = library.instance().unwrap();
    assert_eq!(model.cycles(clock, 5).unwrap(), Status::Finished);
    let mut model = library.instance().unwrap();
    model.set(stop, 1u8);
    let error = model.cycles(clock, 5).unwrap_err().to_string();
    assert!(error.contains("$stop at top.v:1"), "{error}");
}

#[test]
fn random_reset_follows_the_seed() {
    let options = BuildOptions { random_reset: true, ..BuildOptions::draft() };
    let library = compile(PORTS, "widths", &options).unwrap();
    let output = library.port_ref("w512_q").unwrap();
    let start = |seed| {
        let mut model = library.instance_random(seed).unwrap();
        model.eval().unwrap();
        (0..16).map(|i| model.bits(output, 32 * i, 32)).collect::<Vec<_>>()
    };
    assert_eq!(start(7), start(7));
    assert_ne!(start(7), start(8));
    let mut zeroed = library.instance().unwrap();
    zeroed.eval().unwrap();
    assert_eq!(zeroed.read(output), 0);
}

#[test]
fn instances_are_independent_and_move_between_threads() {
    let library = loaded(PORTS, "widths");
    let (clock, free) = (library.port("clock").unwrap(), library.port::<u8>("free").unwrap());
    let counts: Vec<u8> = std::thread::scope(|scope| {
        let runs: Vec<_> = (1..4u8)
            .map(|n| {
                let mut model = library.instance().unwrap();
                scope.spawn(move || {
                    model.cycles(clock, u64::from(n) * 10).unwrap();
                    model.get(free)
                })
            })
            .collect();
        runs.into_iter().map(|r| r.join().unwrap()).collect()
    });
    assert_eq!(counts, [10, 20, 30]);
}

#[test]
fn waves_are_written_only_by_models_built_for_them() {
    let dir = tempfile::tempdir().unwrap();
    let wave = dir.path().join("out.fst");
    let options = BuildOptions { trace: true, ..BuildOptions::draft() };
    let library = compile(PORTS, "widths", &options).unwrap();
    let clock = library.port("clock").unwrap();
    let mut model = library.instance().unwrap();
    model.trace_open(&wave).unwrap();
    model.cycles(clock, 20).unwrap();
    model.trace_close().unwrap();
    assert!(std::fs::metadata(&wave).unwrap().len() > 100);
    assert!(model.trace_open(std::path::Path::new("/nonexistent/out.fst")).is_err());
    let mut without = loaded(PORTS, "widths").instance().unwrap();
    let error = without.trace_open(&wave).unwrap_err().to_string();
    assert!(error.contains("without tracing"), "{error}");
}

#[test]
fn lint_passes_clean_verilog_and_refuses_a_latch() {
    let tools = Toolchain::discover().unwrap();
    lint(&tools, "module m(input a, output y); assign y = !a; endmodule\n", "m").unwrap();
    let latch = "module m(input a, input b, output reg y); always @* if (a) y = b; endmodule\n";
    let error = lint(&tools, latch, "m").unwrap_err().to_string();
    assert!(error.contains("LATCH"), "{error}");
}

/// What is not read needs to be said, as the back end does.
#[test]
fn lint_refuses_what_is_not_read_unless_it_is_named() {
    let tools = Toolchain::discover().unwrap();
    let text = |named: &str| {
        format!("module m(input a, input [1:0] b, output y);\nassign y = a & b[1];\n{named}endmodule\n")
    };
    let error = lint(&tools, &text(""), "m").unwrap_err().to_string();
    assert!(error.contains("UNUSED") && error.contains("'b'"), "{error}");
    lint(&tools, &text("wire unused_b = &{1'b0, b[0]};\n"), "m").unwrap();
}
