//! The special unit: CSRs, warp control and barriers, in Verilator.

mod bench;

use crate::rtl_bench::{assert_parts_of, Random};
use bench::{build, Bench, Instruction, Kind, Outcome, START_ARG};
use isa::csr::{lookup_in, Write, FCSR, FFLAGS, FRM};
use rtl::unit::sfu::SpecialUnit;
use spec::config::CoreConfig;

fn config(warps: usize, threads: usize, slices: usize) -> CoreConfig {
    let cfg = CoreConfig { warps, threads, slices, local_mem_bytes: 1024, ..CoreConfig::default() };
    cfg.validate().unwrap();
    cfg
}

fn bench(warps: usize, threads: usize, slices: usize) -> Bench {
    let cfg = config(warps, threads, slices);
    Bench::new(&cfg, &build(&cfg))
}

/// CUSTOM0 with the given minor opcode, `rd` and `rs2` fields.
fn control(
    b: &Bench,
    wid: usize,
    funct3: u32,
    rd: u32,
    rs2_field: u32,
    rs1: &[u32],
    rs2: u32,
) -> Instruction {
    let mut rs1 = rs1.to_vec();
    rs1.resize(b.cfg.threads, *rs1.last().unwrap());
    let kind = if funct3 == 4 { Kind::Barrier } else { Kind::Control };
    let raw = rs2_field << 20 | funct3 << 12 | rd << 7 | 0x0B;
    Instruction { wid, raw, kind, rs2: vec![rs2; b.cfg.threads], rs1 }
}

fn tmc(b: &mut Bench, wid: usize, mask: u32) -> Outcome {
    let i = control(b, wid, 0, 0, 0, &[mask], 0);
    b.execute(&i)
}

fn split(b: &mut Bench, wid: usize, condition: u32, negate: u32) -> Outcome {
    let rs1: Vec<u32> = (0..b.cfg.threads).map(|l| condition >> l & 1 | 0xABCD_0000).collect();
    let i = control(b, wid, 2, 9, negate, &rs1, 0);
    b.execute(&i)
}

fn join(b: &mut Bench, wid: usize, token: u32) -> Outcome {
    let i = control(b, wid, 3, 0, 0, &[token], 0);
    b.execute(&i)
}

fn pred(b: &mut Bench, wid: usize, condition: u32, negate: u32, otherwise: u32) -> Outcome {
    let rs1: Vec<u32> = (0..b.cfg.threads).map(|l| condition >> l & 1 | 0x5A5A_0000).collect();
    let i = control(b, wid, 5, negate, 0, &rs1, otherwise);
    b.execute(&i)
}

fn wspawn(b: &mut Bench, wid: usize, count: u32, pc: u32) {
    let i = control(b, wid, 1, 0, 0, &[count], pc);
    b.give(&i);
}

fn bar(b: &mut Bench, wid: usize, id: u32, count: u32) -> Outcome {
    let i = control(b, wid, 4, 0, 0, &[id], count);
    b.execute(&i)
}

fn csr(b: &mut Bench, wid: usize, funct3: u32, number: u32, operand: &[u32], rd: u32) -> Outcome {
    let mut rs1 = operand.to_vec();
    rs1.resize(b.cfg.threads, 0xDEAD_BEEF);
    let field = if funct3 & 4 != 0 { operand[0] } else { 3 };
    let raw = number << 20 | field << 15 | funct3 << 12 | rd << 7 | 0x73;
    b.execute(&Instruction { wid, raw, kind: Kind::Csr, rs2: vec![0; b.cfg.threads], rs1 })
}

fn read(b: &mut Bench, wid: usize, number: u32) -> Vec<u32> {
    let outcome = csr(b, wid, 2, number, &[0], 4);
    assert_eq!((outcome.rd, outcome.fault), (Some(4), None), "CSR {number:#x}");
    outcome.values
}

/// Makes all warps active with all lanes.
fn start_all(b: &mut Bench) {
    let (warps, all) = (b.cfg.warps, b.all_lanes());
    wspawn(b, 0, warps as u32, 0x8000_0000);
    b.idle(4);
    for wid in 0..warps {
        tmc(b, wid, all);
    }
}

const DONE: Outcome = Outcome { rd: None, values: Vec::new(), resumed: true, fault: None };

#[test]
fn tmc_takes_the_last_active_lane() {
    let mut b = bench(4, 4, 1);
    assert_eq!(tmc(&mut b, 0, 0b0110), DONE);
    assert_eq!(b.tmask[0], 0b0110);
    // Lane 2 is the last active one; lanes 0, 1 and 3 ask for something else.
    let i = control(&b, 0, 0, 0, 0, &[1, 2, 0xFFFF_FFF5, 8], 0);
    assert_eq!(b.execute(&i), DONE);
    assert_eq!(b.tmask[0], 0b0101, "cut to the lanes there are");
    assert_eq!(tmc(&mut b, 0, 0), DONE);
    assert_eq!(b.tmask[0], 0, "the warp ends");
}

#[test]
fn split_runs_the_larger_side_first() {
    for (condition, negate, first, other) in [
        (0b0001, 0, 0b1110, 0b0001),
        (0b0111, 0, 0b0111, 0b1000),
        (0b0011, 0, 0b0011, 0b1100),
        (0b0011, 1, 0b1100, 0b0011),
        (0b0001, 1, 0b1110, 0b0001),
    ] {
        let mut b = bench(4, 4, 1);
        tmc(&mut b, 0, 0xF);
        let outcome = split(&mut b, 0, condition, negate);
        assert_eq!(outcome, Outcome { rd: Some(9), values: vec![0; 4], ..DONE });
        assert_eq!((b.tmask[0], b.jumped[0]), (first, None), "{condition:#b}");
        assert_eq!(join(&mut b, 0, 0), DONE);
        assert_eq!((b.tmask[0], b.jumped[0]), (other, Some(0x8000_0104)), "{condition:#b}");
        assert_eq!(join(&mut b, 0, 0), DONE);
        assert_eq!((b.tmask[0], b.jumped[0]), (0xF, None), "{condition:#b}");
    }
}

#[test]
fn a_uniform_split_pushes_nothing() {
    let mut b = bench(4, 4, 1);
    tmc(&mut b, 0, 0b0101);
    for (condition, negate) in [(0b0101, 0), (0b1010, 0), (0b0101, 1), (0b1010, 1)] {
        let outcome = split(&mut b, 0, condition, negate);
        assert_eq!(outcome.values, vec![0; 4]);
        assert_eq!(b.tmask[0], 0b0101);
        assert_eq!(join(&mut b, 0, 0), DONE);
        assert_eq!((b.tmask[0], b.jumped[0]), (0b0101, None));
    }
}

/// Splits off one lane a level and joins everything again, in every warp, then one level too many.
#[test]
fn stacks_hold_one_level_less_than_lanes() {
    for threads in [2, 8] {
        let mut b = bench(4, threads, 2);
        start_all(&mut b);
        for wid in 0..4 {
            descend(&mut b, wid, 0);
        }
        // One lane that remains cannot diverge; a full stack needs lanes that come back by TMC.
        for level in 0..threads as u32 - 1 {
            tmc(&mut b, 1, 3);
            assert_eq!(split(&mut b, 1, 1, 0).values, vec![level; threads]);
        }
        tmc(&mut b, 1, 3);
        assert_eq!(split(&mut b, 1, 1, 0), Outcome { resumed: false, fault: Some((5, 0)), ..DONE });
        assert_eq!(split(&mut b, 2, 1, 0).fault, None, "other warps have their own stacks");
    }
}

fn descend(b: &mut Bench, wid: usize, level: u32) {
    let mask = b.tmask[wid];
    if mask.count_ones() < 2 {
        return;
    }
    let lowest = mask & mask.wrapping_neg();
    let outcome = split(b, wid, lowest, 0);
    assert_eq!(outcome.values, vec![level; b.cfg.threads]);
    let first = if mask.count_ones() == 2 { lowest } else { mask & !lowest };
    assert_eq!(b.tmask[wid], first);
    descend(b, wid, level + 1);
    join(b, wid, level);
    assert_eq!(b.tmask[wid], mask & !first);
    assert!(b.jumped[wid].is_some());
    descend(b, wid, level + 1);
    join(b, wid, level);
    assert_eq!((b.tmask[wid], b.jumped[wid]), (mask, None));
}

#[test]
fn join_on_an_empty_stack_is_a_fault() {
    let mut b = bench(4, 4, 1);
    assert_eq!(join(&mut b, 0, 1), Outcome { resumed: false, fault: Some((8, 0)), ..DONE });
}

#[test]
fn pred_keeps_lanes_or_takes_the_other_mask() {
    let mut b = bench(4, 4, 1);
    for (condition, negate, expected) in [
        (0b0110, 0, 0b0110),
        (0b0000, 0, 0b1011),
        (0b1001, 1, 0b0110),
        (0b1111, 1, 0b1011),
        (0b1000, 0, 0b1000),
    ] {
        tmc(&mut b, 0, 0xF);
        assert_eq!(pred(&mut b, 0, condition, negate, 0xFFFF_FFFB), DONE);
        assert_eq!(b.tmask[0], expected, "{condition:#b} {negate}");
    }
    tmc(&mut b, 0, 0b0011);
    pred(&mut b, 0, 0b1100, 0, 0);
    assert_eq!(b.tmask[0], 0, "no lane and an empty mask: the warp ends");
}

#[test]
fn wspawn_waits_until_its_caller_is_alone() {
    let mut b = bench(4, 4, 2);
    wspawn(&mut b, 0, 3, 0x8000_4000);
    b.idle(4);
    assert_eq!(b.tmask, [1, 1, 1, 0]);
    assert_eq!(b.spawned[1..], [Some(0x8000_4000), Some(0x8000_4000), None]);
    assert!(b.resumed[0]);
    // The join: no warp is started, the caller waits for the others, which need the unit to end.
    wspawn(&mut b, 0, 1, 0);
    b.idle(4);
    assert!(!b.resumed[0]);
    assert_ne!(b.dut.get("sfu_busy"), 0);
    tmc(&mut b, 2, 0);
    b.idle(4);
    assert!(!b.resumed[0]);
    assert_eq!(read(&mut b, 1, 0xCC0), [0, 1, 2, 3], "the unit serves others meanwhile");
    tmc(&mut b, 1, 0);
    b.idle(4);
    assert!(b.resumed[0]);
    assert_eq!(b.tmask, [1, 0, 0, 0]);
    // A count with bits above those of the number of warps, from another warp's point of view.
    wspawn(&mut b, 0, 0xF2, 0x8000_8000);
    b.idle(4);
    assert_eq!(b.tmask, [1, 1, 0, 0]);
    tmc(&mut b, 0, 0);
    wspawn(&mut b, 1, 7, 0x8000_8000);
    b.idle(4);
    assert_eq!(b.tmask, [1; 4], "more than there are");
    assert_eq!(b.dut.get("sfu_busy"), 0);
}

#[test]
fn barriers_release_all_and_can_be_used_again() {
    let mut b = bench(8, 4, 2);
    start_all(&mut b);
    for round in 0..3 {
        for (n, wid) in [5, 0, 6].into_iter().enumerate() {
            b.resumed = vec![false; 8];
            (b.released, b.arrived) = (0, 0);
            let outcome = bar(&mut b, wid, 2, 3);
            assert_eq!(b.arrived, 1 << wid);
            if n < 2 {
                assert!(!outcome.resumed, "round {round}");
                assert_eq!((b.dut.get("barrier_warps") >> wid & 1, b.released), (1, 0));
            }
        }
        assert_eq!((b.dut.get("barrier_warps"), b.released), (0, 0b110_0001));
        assert_eq!([b.resumed[0], b.resumed[5], b.resumed[6], b.resumed[1]], [true, true, true, false]);
    }
}

#[test]
fn barriers_are_independent_and_count_every_way() {
    let mut b = bench(8, 4, 1);
    start_all(&mut b);
    assert!(!bar(&mut b, 0, 0, 2).resumed);
    assert!(!bar(&mut b, 1, 1, 2).resumed);
    assert_eq!(b.dut.get("barrier_warps"), 0b11);
    assert!(bar(&mut b, 2, 0, 1).resumed, "a count of 1 passes");
    assert_eq!(b.dut.get("barrier_warps"), 0b11, "and leaves who waits");
    assert!(bar(&mut b, 3, 0x8000_0005, 2).resumed, "only low bits of the number count");
    assert!(b.resumed[1]);
    assert!(bar(&mut b, 4, 4, 2).resumed);
    assert_eq!(b.dut.get("barrier_warps"), 0);
    // All warps; 0 means as many as a warp identifier can tell.
    for count in [8, 0] {
        for wid in 0..7 {
            assert!(!bar(&mut b, wid, 3, count).resumed);
        }
        assert_eq!(b.dut.get("barrier_warps"), 0x7F);
        assert!(bar(&mut b, 7, 3, count).resumed);
        assert_eq!(b.dut.get("barrier_warps"), 0);
    }
    b.arrived = 0;
    assert_eq!(bar(&mut b, 0, 0, 9), Outcome { resumed: false, fault: Some((6, 9)), ..DONE });
    assert_eq!((b.arrived, b.dut.get("barrier_warps")), (0, 0), "a fault does not arrive");
}

#[test]
fn fixed_csrs() {
    let mut b = bench(8, 4, 2);
    start_all(&mut b);
    tmc(&mut b, 5, 0b1010);
    for (number, value) in [
        (0xCC1, 5),
        (0xCC2, 0),
        (0xCC3, 0xFF),
        (0xCC4, 0b1010),
        (0xFC0, 4),
        (0xFC1, 8),
        (0xFC2, 1),
        (0xFC3, 0xFFFF_0000),
        (0x301, 0x4090_1120),
        (0xF11, 0),
        (0x300, 0),
        (0xB1F, 0),
        (0xB83, 0),
    ] {
        assert_eq!(read(&mut b, 5, number), [value; 4], "{number:#x}");
    }
    assert_eq!(read(&mut b, 5, 0xCC0), [0, 1, 2, 3]);
    assert_eq!(read(&mut b, 5, 0xF14), [20, 21, 22, 23]);
}

#[test]
fn every_csr_number_is_known_or_a_fault() {
    for fpu in [false, true] {
        every_csr_number(fpu);
    }
}

fn every_csr_number(fpu: bool) {
    let cfg = CoreConfig { fpu, ..config(2, 2, 1) };
    let mut b = Bench::new(&cfg, &build(&cfg));
    for number in 0..0x1000u32 {
        let row = lookup_in(&cfg, number as u16);
        let outcome = csr(&mut b, 0, 2, number, &[0], 4);
        assert_eq!(outcome.fault, row.is_none().then_some((7, number)), "{number:#x}");
        assert_eq!(outcome.rd.is_some(), row.is_some());
        let Some(row) = row.filter(|row| row.write != Write::Stored) else { continue };
        let outcome = csr(&mut b, 0, 5, number, &[0], 4);
        let fault = (row.write == Write::Illegal).then_some((7, number));
        assert_eq!(outcome.fault, fault, "write to {number:#x}");
    }
}

/// Flags accrue from what the slices commit, one set a warp; an access lets its warp go on.
#[test]
fn floating_point_state_belongs_to_the_warp() {
    let mut b = bench(4, 2, 2);
    start_all(&mut b);
    let frm = |b: &Bench, wid| b.dut.get_at("frm", wid, 3);
    let (fflags, frm_number, fcsr) = (FFLAGS.into(), FRM.into(), FCSR.into());
    // Slice 0 commits for warp 2, slice 1 for warp 3, in one cycle and then once more for both.
    for flags in [(0b00001, 0b10000), (0b00100, 0)] {
        for (slice, wid, flags) in [(0, 2, flags.0), (1, 3, flags.1)] {
            b.dut.set_at("commit_wid", slice, 2, wid);
            b.dut.set_at("commit_flags", slice, 5, flags);
        }
        b.step();
    }
    b.dut.set("commit_flags", 0);
    for (wid, funct3, number, operand, old) in [
        (0, 2, fflags, 0, 0),
        (2, 2, fflags, 0, 0b00101),
        (3, 2, fcsr, 0, 0b10000),
        (3, 1, frm_number, 0xFFFF_FFFB, 0),
        (3, 2, fcsr, 0, 3 << 5 | 0b10000),
        (2, 1, fcsr, 0xFFFF_FF42, 0b00101),
        (2, 2, frm_number, 0, 2),
        (2, 3, fflags, 0xFE, 0b00010),
        (2, 6, fflags, 0x11, 0),
        (2, 7, frm_number, 2, 2),
        (2, 2, fcsr, 0, 0b10001),
        (3, 2, fcsr, 0, 3 << 5 | 0b10000),
        (1, 2, fcsr, 0, 0),
    ] {
        let outcome = csr(&mut b, wid, funct3, number, &[operand], 4);
        assert_eq!(outcome.values, [old; 2], "warp {wid}, funct3 {funct3}, {number:#x}");
        assert!(outcome.resumed && outcome.fault.is_none(), "{number:#x}");
    }
    assert_eq!([0, 1, 2, 3].map(|wid| frm(&b, wid)), [0, 0, 0, 3]);
    assert!(!csr(&mut b, 0, 2, 0x340, &[0], 4).resumed, "nobody waits for the others");
}

#[test]
fn mscratch_is_one_register_written_by_lane_0() {
    let mut b = bench(4, 4, 1);
    start_all(&mut b);
    assert_eq!(read(&mut b, 2, 0x340), [START_ARG; 4]);
    tmc(&mut b, 1, 0b1000);
    for (funct3, operand, old, new) in [
        (1, 0x0F0F_0F0F, START_ARG, 0x0F0F_0F0F),
        (2, 0xF000_0000, 0x0F0F_0F0F, 0xFF0F_0F0F),
        (3, 0x0000_00FF, 0xFF0F_0F0F, 0xFF0F_0F00),
        (6, 0x1F, 0xFF0F_0F00, 0xFF0F_0F1F),
        (7, 0x10, 0xFF0F_0F1F, 0xFF0F_0F0F),
        (2, 0, 0xFF0F_0F0F, 0xFF0F_0F0F),
        (5, 0, 0xFF0F_0F0F, 0),
    ] {
        let outcome = csr(&mut b, 1, funct3, 0x340, &[operand, 1, 2, 3], 4);
        assert_eq!(outcome.values, vec![old; 4]);
        assert_eq!(read(&mut b, 3, 0x340), [new; 4], "funct3 {funct3}");
    }
    assert_eq!(csr(&mut b, 1, 1, 0x340, &[7], 0).rd, None, "no destination, no result");
    assert_eq!(read(&mut b, 0, 0x340), [7; 4]);
}

#[test]
fn counters_count() {
    let mut b = bench(8, 4, 2);
    let (cycles, threads) = (read(&mut b, 0, 0xB00)[0], read(&mut b, 0, 0xB02)[0]);
    assert_eq!((cycles, threads), (0, 0), "nothing runs");
    b.dut.set("running", 1);
    b.dut.set_at("issue_fire", 0, 1, 1);
    b.dut.set_at("issue_fire", 1, 1, 1);
    b.dut.set_at("issue_tmask", 0, 4, 0b0111);
    b.dut.set_at("issue_tmask", 1, 4, 0b1001);
    b.idle(10);
    b.dut.set("running", 0);
    b.dut.set_at("issue_fire", 0, 1, 0);
    b.idle(10);
    b.dut.set_at("issue_fire", 1, 1, 0);
    b.idle(2);
    assert_eq!(read(&mut b, 0, 0xB00)[0], 10);
    assert_eq!(read(&mut b, 0, 0xB02)[0], 10 * 5 + 10 * 2);
    assert_eq!((read(&mut b, 0, 0xB80)[0], read(&mut b, 0, 0xB82)[0]), (0, 0));
}

/// A performance counter is read in the cycle in which the instruction is taken, at most in each second cycle, and only for
/// a register.
#[test]
fn reads_of_performance_counters_leave_every_second_cycle_free() {
    let read_of = |b: &mut Bench, number: u32, rd: u32, wid: usize| {
        let raw = number << 20 | 2 << 12 | rd << 7 | 0x73;
        let zeros = vec![0; b.cfg.threads];
        b.present(&Instruction { wid, raw, kind: Kind::Csr, rs1: zeros.clone(), rs2: zeros });
    };
    let mut b = bench(8, 4, 2);
    start_all(&mut b);
    for (numbers, rd, reads) in
        [([0xB03, 0xB9F], 5, 10), ([0xB83, 0xB1F], 0, 0), ([0xB20, 0xC00], 5, 0), ([0xCC0, 0x340], 5, 0)]
    {
        let mut read_cycles = vec![];
        for cycle in 0..20 {
            // Both slices have one in every cycle.
            (0..2).for_each(|wid| read_of(&mut b, numbers[wid], rd, wid));
            b.dut.settle();
            read_cycles.extend((b.dut.get("counter_read") != 0).then_some(cycle));
            b.step();
        }
        assert_eq!(read_cycles.len(), reads, "{numbers:x?} into x{rd}");
        assert!(read_cycles.windows(2).all(|pair| pair[0] + 2 == pair[1]), "{read_cycles:?}");
        (0..2).for_each(|slice| b.dut.set_at("sfu_valid", slice, 1, 0));
        b.idle(3);
    }
}

#[test]
fn an_illegal_instruction_does_nothing_else() {
    let mut b = bench(4, 4, 1);
    let i = Instruction { wid: 0, raw: 0xFFFF_F08B, kind: Kind::Illegal, rs1: vec![0; 4], rs2: vec![0; 4] };
    assert_eq!(b.execute(&i), Outcome { resumed: false, fault: Some((1, 0xFFFF_F08B)), ..DONE });
    assert_eq!(b.tmask[0], 1);
}

#[test]
fn a_result_waits_until_commit_takes_it() {
    let mut b = bench(4, 4, 1);
    b.dut.set_at("sfu_result_ready", 0, 1, 0);
    let i = Instruction { wid: 0, raw: 0xCC00_2573, kind: Kind::Csr, rs1: vec![0; 4], rs2: vec![0; 4] };
    b.give(&i);
    b.idle(5);
    assert_eq!(b.results.len(), 5, "offered every cycle");
    b.dut.set_at("sfu_result_ready", 0, 1, 1);
    b.results.clear();
    b.idle(5);
    assert_eq!(b.results, [(0, 10, 1, vec![0, 1, 2, 3])]);
}

/// A performance counter's value comes a cycle after the CSR is read, and waits with the rest of the result.
#[test]
fn the_value_of_a_performance_counter_waits_too() {
    for waits in [0, 1, 3] {
        let mut b = bench(4, 4, 1);
        b.dut.set_at("sfu_result_ready", 0, 1, u32::from(waits == 0));
        b.give(&Instruction { wid: 0, raw: 0xB030_2573, kind: Kind::Csr, rs1: vec![0; 4], rs2: vec![0; 4] });
        b.dut.set("counter_value", 0x1234_5678);
        b.step();
        b.dut.set("counter_value", 0);
        b.idle(waits);
        b.dut.set_at("sfu_result_ready", 0, 1, 1);
        b.idle(3);
        let results = if waits == 0 { 1 } else { waits + 2 };
        assert_eq!(b.results, vec![(0, 10, 1, vec![0x1234_5678; 4]); results]);
    }
}

/// Random SPLIT, JOIN, PRED and TMC in all warps against a stack kept here.
#[test]
fn random_control_flow() {
    for (warps, threads, slices) in [(3, 4, 1), (8, 8, 4), (1, 1, 1), (4, 32, 1)] {
        let mut b = bench(warps, threads, slices);
        start_all(&mut b);
        let mut random = Random::new(threads as u64);
        let depth = (threads - 1).max(1);
        let mut stacks: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); warps];
        for _ in 0..600 {
            let wid = random.below(warps);
            let (mask, all) = (b.tmask[wid], b.all_lanes());
            let stack = &mut stacks[wid];
            match random.below(5) {
                0 => {
                    let new = (random.next() as u32 & all).max(1);
                    tmc(&mut b, wid, new);
                    assert_eq!(b.tmask[wid], new);
                }
                1 => {
                    let condition = random.next() as u32;
                    pred(&mut b, wid, condition, 0, all);
                    assert_eq!(b.tmask[wid], if mask & condition != 0 { mask & condition } else { all });
                }
                2 | 3 => {
                    let (met, token) = (random.next() as u32 & mask, stack.len() as u32);
                    let unmet = mask & !met;
                    if met != 0 && unmet != 0 && stack.len() == depth {
                        continue;
                    }
                    assert_eq!(split(&mut b, wid, met, 0).values, vec![token; threads]);
                    if met == 0 || unmet == 0 {
                        assert_eq!(b.tmask[wid], mask);
                        continue;
                    }
                    let met_first = met.count_ones() >= unmet.count_ones();
                    assert_eq!(b.tmask[wid], if met_first { met } else { unmet });
                    stack.push((mask, if met_first { unmet } else { met }, false));
                }
                _ => {
                    let token = stack.len() as u32;
                    let Some(top) = stack.last_mut() else { continue };
                    let (restore, other, started) = *top;
                    top.2 = true;
                    join(&mut b, wid, token - 1);
                    assert_eq!(b.tmask[wid], if started { restore } else { other });
                    assert_eq!(b.jumped[wid].is_some(), !started);
                    if started {
                        stack.pop();
                    }
                }
            }
        }
    }
}

#[test]
fn the_unit_is_made_of_these_parts() {
    let parts = ["CsrFile", "CsrNumbers", "CtaCsrs", "FloatState", "WarpControl", "IpdomStack"];
    assert_parts_of(SpecialUnit::new(&config(4, 4, 1)), &parts);
}
