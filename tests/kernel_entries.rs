//! Entries of kernels for the dispatcher do what the compiled kernel needs, no more, and not less in a warp slot that had
//! another block before (`src/kernels/entry.rs`).

use std::fs;

use crate::kernels_functional::run_to_end;
use isa::decode;
use isa::table::Op;
use kernels::{Inputs, Source};
use loader::Program;
use model::{GridLaunch, Machine, Memory};
use spec::config::CoreConfig;

/// Threads of the launches: six blocks on a core that has room for two.
const BLOCKS: u32 = 6;
const THREADS: u32 = 4;
const ARGUMENT: u32 = 1000;

fn core() -> CoreConfig {
    CoreConfig { warps: 2, threads: THREADS as usize, fpu: true, grid: true, ..CoreConfig::default() }
}

/// A program with kernels, and with an array of results `out` that has a word for each thread.
fn compile(kernels: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernels.c");
    let begin = "#include \"simt_grid.h\"\n#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)\nSIMT_OUTPUT uint32_t out[24];\n";
    fs::write(&file, format!("{begin}{kernels}")).unwrap();
    let made = Source::compile(&Inputs { files: vec![file], ..Inputs::default() }).and_then(Source::compiled);
    made.unwrap_or_else(|error| panic!("{error}")).program
}

/// The results after launches of these kernels, one after another.
fn run(program: &Program, kernels: &[&str]) -> Vec<u32> {
    let cfg = core();
    let mut memory = Memory::for_core(&cfg);
    program.load(&mut memory);
    let mut machine = Machine::at_rest(&cfg, memory);
    for &kernel in kernels {
        let (entry, arg) = (program.symbols[kernel], ARGUMENT);
        let launch = GridLaunch { entry, arg, grid: [BLOCKS, 1, 1], block: [THREADS, 1, 1], local_bytes: 0 };
        machine.launch(&launch).unwrap();
        run_to_end(&mut machine, kernel).unwrap();
    }
    let out = program.symbols["out"];
    (0..BLOCKS * THREADS).map(|thread| machine.memory.read(out + 4 * thread, 4).unwrap()).collect()
}

/// The operations between the entry of a kernel and its function.
fn before(program: &Program, kernel: &str) -> Vec<Op> {
    let mut memory = Memory::for_core(&core());
    program.load(&mut memory);
    let (entry, body) = (program.symbols[kernel], program.symbols[&format!("simt_body_of_{kernel}")]);
    (entry..body).step_by(4).map(|pc| decode(memory.read(pc, 4).unwrap()).unwrap()).collect()
}

const STACK: &[Op] = &[Op::Csrrs, Op::Slli, Op::Lui, Op::Sub];
const FRAMES: &[Op] = &[Op::Lui, Op::Add];
const GLOBALS: &[Op] = &[Op::Lui, Op::Addi];
const ARG: &[Op] = &[Op::Csrrs];
const CALL: &[Op] = &[Op::Jal, Op::Tmc];

#[test]
fn an_entry_sets_up_what_its_kernel_reads() {
    let kernels = "
        SIMT_KERNEL(nothing) { out[THREAD] = THREAD; }
        SIMT_KERNEL(argument) { out[THREAD] = THREAD + arg; }
        SIMT_KERNEL(late) { if (blockIdx.x > 100) return; out[THREAD] = THREAD + arg; }
        SIMT_KERNEL(stack) { volatile uint32_t own[2]; own[1] = THREAD; out[THREAD] = own[1]; }
        SIMT_KERNEL(frames) { uint32_t tp; __asm__(\"mv %0, tp\" : \"=r\"(tp)); out[THREAD] = tp; }
        SIMT_KERNEL(pointer) { uint32_t gp; __asm__(\"mv %0, gp\" : \"=r\"(gp)); out[THREAD] = gp; }
        SIMT_FUNCTION static uint32_t twice(uint32_t n) { __asm__ volatile(\"\"); return 2 * n; }
        SIMT_KERNEL(calls) { out[THREAD] = twice(THREAD); }
        SIMT_KERNEL(address) { uint32_t ra; __asm__(\"mv %0, ra\" : \"=r\"(ra)); out[THREAD] = ra; }";
    let program = compile(kernels);
    let full = [STACK, FRAMES, GLOBALS, ARG, CALL].concat();
    let local = |thread: u32| 0xffff_0000 - ((thread % (2 * THREADS)) << 13);
    type Expected<'a> = &'a dyn Fn(u32) -> u32;
    let cases: [(&str, Vec<Op>, Expected); 8] = [
        ("nothing", vec![], &|thread| thread),
        ("argument", ARG.into(), &|thread| thread + ARGUMENT),
        ("late", ARG.into(), &|thread| thread + ARGUMENT),
        ("stack", STACK.into(), &|thread| thread),
        // Blocks take the two warp slots in turn.
        ("frames", [STACK, FRAMES].concat(), &|thread| local(thread) - 0x2000),
        ("pointer", GLOBALS.into(), &|_| program.symbols["__global_pointer$"]),
        ("calls", full.clone(), &|thread| 2 * thread),
        ("address", full, &|_| program.symbols["simt_body_of_address"] - 4),
    ];
    for (kernel, expected, value) in cases {
        assert_eq!(before(&program, kernel), expected, "{kernel}");
        let expected: Vec<u32> = (0..BLOCKS * THREADS).map(value).collect();
        assert_eq!(run(&program, &[kernel]), expected, "{kernel}");
    }
    assert_eq!(program.entry, program.symbols["nothing"], "the first kernel is where the file starts");
}

const SUM: &str = "
    SIMT_KERNEL(sum)
    {
        float large = 1, small = 0x1p-30f;
        __asm__(\"\" : \"+f\"(large), \"+f\"(small));
        out[THREAD] = simt_bits_of_float(large + small);
    }
    SIMT_KERNEL(exceptions) { uint32_t flags; __asm__(\"frflags %0\" : \"=r\"(flags)); out[THREAD] = flags; }\n";
const UPWARDS: &str = "SIMT_KERNEL(upwards) { __asm__ volatile(\"csrwi frm, 3\"); out[THREAD] = 0; }\n";

#[test]
fn rounding_and_exceptions_of_another_block_are_not_seen() {
    let nearest = vec![1.0f32.to_bits(); (BLOCKS * THREADS) as usize];
    let alone = compile(SUM);
    assert_eq!(before(&alone, "sum"), [], "nobody rounds in another way");
    assert_eq!(before(&alone, "exceptions"), [Op::Csrrw]);
    assert_eq!(run(&alone, &["sum"]), nearest);
    assert_eq!(run(&alone, &["sum", "exceptions"]), vec![0; nearest.len()]);

    let together = compile(&format!("{SUM}{UPWARDS}"));
    assert_eq!(before(&together, "sum"), [Op::Csrrw]);
    assert_eq!(run(&together, &["upwards", "sum"]), nearest);
}
