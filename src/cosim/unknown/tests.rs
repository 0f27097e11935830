use super::*;
use isa::asm::assemble;
use model::{Machine, Memory};

const BASE: u32 = 0x8000_0000;

/// A warp of four lanes with a program, and what is unknown of it.
struct Bench {
    machine: Machine,
    unknown: Unknown,
}

impl Bench {
    fn new(source: &str) -> Self {
        let cfg = CoreConfig { warps: 1, threads: 4, cross_lane: true, ..CoreConfig::default() };
        let mut memory = Memory::for_core(&cfg);
        for (address, word) in assemble(BASE, source).unwrap().words() {
            memory.load(address, &word.to_le_bytes());
        }
        Self { machine: Machine::new(&cfg, memory, BASE, 0), unknown: Unknown::new(&cfg) }
    }

    /// One instruction; the lanes of its result that are unknown, or the failure.
    fn step(&mut self) -> std::result::Result<u32, String> {
        let warp = self.machine.warp(0);
        let (pc, tmask) = (warp.pc(), warp.tmask());
        let raw = self.machine.memory.read(pc, 4).unwrap();
        let issued = Issued { wid: 0, pc, raw, tmask };
        if let Some(FailureKind::Unwritten { what, origin, .. }) = self.unknown.decided(warp, &issued) {
            return Err(format!("{what}: {origin}"));
        }
        let retire = self.machine.step(0).unwrap();
        let lanes = self.unknown.issue(&retire).lanes;
        let Some(access) = retire.access() else { return Ok(lanes) };
        let accessed = Accessed {
            cycle: 0,
            wid: 0,
            pc,
            store: access.store,
            tmask,
            funct3: access.funct3,
            addresses: access.addr,
            data: access.data,
        };
        Ok(match retire.rd {
            Some(rd) => self.unknown.load(&accessed, rd),
            None => self.unknown.store(&accessed),
        })
    }

    /// The last of so many instructions.
    fn run(source: &str) -> std::result::Result<u32, String> {
        let mut bench = Self::new(source);
        let steps = source.lines().count();
        (1..steps).for_each(|_| assert!(bench.step().is_ok(), "{source}"));
        bench.step()
    }
}

#[test]
fn what_is_computed_from_the_unknown_is_unknown() {
    assert_eq!(Bench::run("add x5, x6, x0"), Ok(1));
    assert_eq!(Bench::run("li x6, 1\nadd x5, x6, x0"), Ok(0));
    assert_eq!(Bench::run("addi x6, x8, 1\nxor x7, x6, x6\nmul x5, x0, x7"), Ok(1));
    assert_eq!(Bench::run("fadd.s f1, f2, f3"), Ok(1));
    assert_eq!(Bench::run("fmv.w.x f2, x0\nfmv.w.x f3, x0\nfadd.s f1, f2, f3"), Ok(0));
    assert_eq!(Bench::run("fadd.s f1, f2, f3\ncsrr x5, fflags"), Ok(1));
    // Written in lane 0 alone.
    assert_eq!(Bench::run("li x6, 1\nli x7, 15\nvx_tmc x7\nadd x5, x6, x6"), Ok(0b1110));
}

/// In lanes 0 to 2 x6 is known, lane 3 is active too.
#[test]
fn lanes_get_the_unknown_from_one_another() {
    let partly = "li x7, 7\nvx_tmc x7\nli x6, 1\nli x7, 15\nvx_tmc x7\nli x7, 0xc1\n";
    assert_eq!(Bench::run(&format!("{partly}vx_vote_any x5, x6")), Ok(0b1111));
    assert_eq!(Bench::run(&format!("{partly}vx_vote_any x5, x7")), Ok(0));
    // One lane further, up and down: the last of them has nobody behind it.
    assert_eq!(Bench::run(&format!("{partly}vx_shfl_up x5, x6, x7")), Ok(0));
    assert_eq!(Bench::run(&format!("{partly}vx_shfl_down x5, x6, x7")), Ok(0b1100));
    // The register that says from whom may be the result's.
    assert_eq!(Bench::run(&format!("{partly}vx_shfl_bfly x7, x6, x7")), Ok(0b0100));
    assert_eq!(
        Bench::run(&format!("{partly}vx_shfl_idx x5, x7, x6")),
        Err("lane of a shuffle: t1 of warp 0".into())
    );
}

#[test]
fn memory_passes_the_unknown_on_byte_by_byte() {
    let stored = "li x6, 0x10000\nsh x9, 2(x6)\n";
    assert_eq!(Bench::run(&format!("{stored}lw x5, 0(x6)")), Ok(1));
    assert_eq!(Bench::run(&format!("{stored}lhu x5, 0(x6)")), Ok(0));
    assert_eq!(Bench::run(&format!("{stored}sb x0, 3(x6)\nlbu x5, 3(x6)")), Ok(0));
    assert_eq!(Bench::run(&format!("{stored}sb x0, 3(x6)\nlbu x5, 2(x6)")), Ok(1));
    let local = "csrr x6, 0xfc3\n";
    assert_eq!(Bench::run(&format!("{local}lw x5, 4(x6)")), Ok(1));
    assert_eq!(Bench::run(&format!("{local}sw x0, 4(x6)\nlw x5, 4(x6)")), Ok(0));
}

#[test]
fn decisions_by_the_unknown_name_where_it_comes_from() {
    for (source, failure) in [
        ("beq x8, x0, .+8", "condition: s0 of warp 0"),
        ("li x6, 1\nbne x6, x9, .+8", "condition: s1 of warp 0"),
        ("jalr x0, x8, 0", "target: s0 of warp 0"),
        ("lw x5, 0(x8)", "address: s0 of warp 0"),
        ("sw x0, 0(x8)", "address: s0 of warp 0"),
        ("vx_tmc x8", "thread mask: s0 of warp 0"),
        ("vx_split x5, x8", "thread mask: s0 of warp 0"),
        ("vx_wspawn x0, x8", "warps that start: s0 of warp 0"),
        ("vx_bar x0, x8", "barrier: s0 of warp 0"),
        ("csrw mscratch, x8", "CSR's new value: s0 of warp 0"),
        ("sw x8, 0x88(x0)", "output: s0 of warp 0"),
        ("fcvt.w.s x5, f8\nadd x6, x5, x5\nbnez x6, .+8", "condition: fs0 of warp 0"),
        ("csrr x6, 0xfc3\nlw x5, 4(x6)\nbnez x5, .+8", "condition: local memory's line at 0xffff0000"),
        ("li x6, 0x10000\nsw x8, 0(x6)\nlw x5, 0(x6)\njr x5", "target: s0 of warp 0"),
    ] {
        assert_eq!(Bench::run(source), Err(failure.into()), "{source}");
    }
    assert_eq!(Bench::run("li x6, 1\nbne x6, x0, .+8"), Ok(0));
    assert_eq!(Bench::run("csrr x6, mscratch"), Ok(0));
}
