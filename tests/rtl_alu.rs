//! The integer units against host arithmetic, in rust-hdl's own simulator.

use crate::rtl_bench::assert_parts_of;
use rtl::op::{AluOp, MultiplyOp, ALU_CONTROLS, MULTIPLY_CONTROLS};
use rtl::unit::alu::{Alu, AluLane, CrossLane};
use rust_hdl::prelude::*;
use spec::config::CoreConfig;

/// Values around every boundary an integer unit has.
pub const CORNERS: [u32; 14] = [
    0,
    1,
    2,
    3,
    31,
    32,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xaaaa_aaaa,
    0xffff_0000,
    0xffff_fffe,
    0xffff_ffff,
];

/// Pairs of corners, then pseudo-random pairs.
fn pairs(random: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Magnitudes of all sizes, so that divisions have quotients of all lengths.
        (state >> 16) as u32 >> (state as u32 & 31)
    };
    let corners = CORNERS.into_iter().flat_map(|a| CORNERS.into_iter().map(move |b| (a, b)));
    corners.chain((0..random).map(move |_| (next(), next())))
}

fn bits_of<const N: usize>(value: u32) -> Bits<N> {
    u64::from(value).into()
}

/// Result and branch condition, where there is one.
fn alu_reference(op: AluOp, a: u32, b: u32) -> (Option<u32>, Option<bool>) {
    let (x, y) = (a as i32, b as i32);
    match op {
        AluOp::Add => (Some(a.wrapping_add(b)), None),
        AluOp::Sub => (Some(a.wrapping_sub(b)), None),
        AluOp::Slt => (Some((x < y) as u32), None),
        AluOp::Sltu => (Some((a < b) as u32), None),
        AluOp::Xor => (Some(a ^ b), None),
        AluOp::Or => (Some(a | b), None),
        AluOp::And => (Some(a & b), None),
        AluOp::PassB => (Some(b), None),
        AluOp::CzeroEqz => (Some(if b == 0 { 0 } else { a }), None),
        AluOp::CzeroNez => (Some(if b != 0 { 0 } else { a }), None),
        AluOp::Beq => (None, Some(a == b)),
        AluOp::Bne => (None, Some(a != b)),
        AluOp::Blt => (None, Some(x < y)),
        AluOp::Bge => (None, Some(x >= y)),
        AluOp::Bltu => (None, Some(a < b)),
        AluOp::Bgeu => (None, Some(a >= b)),
        AluOp::Jump => (Some(b), Some(true)),
    }
}

/// Control bits that a table gives; those that it leaves open are taken from `free_bits`.
fn control_bits(count: usize, free_bits: u32, given: impl Fn(usize) -> Option<bool>) -> u32 {
    (0..count).map(|bit| u32::from(given(bit).unwrap_or(free_bits >> bit & 1 == 1)) << bit).sum()
}

#[test]
fn alu_lane_agrees_with_the_host() {
    let mut lane = AluLane::new();
    lane.control.connect();
    lane.a.connect();
    lane.b.connect();
    lane.connect_all();
    let mut free_bits = 0x9e37_79b9_u32;
    for &op in AluOp::ALL {
        for (a, b) in pairs(2000) {
            // What the table leaves open may have either value.
            free_bits = free_bits.rotate_left(5) ^ a ^ b;
            let control = control_bits(ALU_CONTROLS, free_bits, |bit| op.control_bit(bit));
            lane.control.next = bits_of(control);
            lane.a.next = bits_of(a);
            lane.b.next = bits_of(if op.inverts_b() { !b } else { b });
            assert!(simulate(&mut lane, 10), "{op:?} does not settle");
            let (result, condition) = alu_reference(op, a, b);
            if let Some(result) = result {
                assert_eq!(lane.result.val().to_u64() as u32, result, "{op:?} {control:x} {a:#x} {b:#x}");
            }
            if let Some(condition) = condition {
                assert_eq!(lane.condition.val(), condition, "{op:?} {control:x} {a:#x} {b:#x}");
            }
        }
    }
}

/// What RISC-V says about the eight instructions of M, by `funct3`.
pub fn muldiv_reference(funct3: u32, a: u32, b: u32) -> u32 {
    let (x, y) = (a as i32, b as i32);
    match funct3 {
        0 => a.wrapping_mul(b),
        1 => ((x as i64 * y as i64) >> 32) as u32,
        2 => ((x as i64 * b as i64) >> 32) as u32,
        3 => ((a as u64 * b as u64) >> 32) as u32,
        4 if b == 0 => u32::MAX,
        4 => x.wrapping_div(y) as u32,
        5 => a.checked_div(b).unwrap_or(u32::MAX),
        6 if b == 0 => a,
        6 => x.wrapping_rem(y) as u32,
        _ => a.checked_rem(b).unwrap_or(a),
    }
}

fn config(threads: usize) -> CoreConfig {
    CoreConfig { warps: 4, threads, ..CoreConfig::default() }
}

/// One clock cycle: outputs settle with the clock low before the edge, inputs may change after it.
fn edge<B: Block>(uut: &mut B, mut clock: impl FnMut(&mut B, Clock)) {
    for level in [true, false] {
        clock(uut, Clock::from(level));
        assert!(simulate(uut, 20), "does not settle");
    }
}

/// What the multiplier's operations give.
fn multiply_reference(op: MultiplyOp, a: u32, b: u32) -> u32 {
    match op {
        MultiplyOp::Mul => muldiv_reference(0, a, b),
        MultiplyOp::Mulh => muldiv_reference(1, a, b),
        MultiplyOp::Mulhsu => muldiv_reference(2, a, b),
        MultiplyOp::Mulhu => muldiv_reference(3, a, b),
        MultiplyOp::Sll => a << (b & 31),
        MultiplyOp::Srl => a >> (b & 31),
        MultiplyOp::Sra => (a as i32 >> (b & 31)) as u32,
    }
}

/// What the integer unit is asked for.
#[derive(Copy, Clone, Debug)]
enum Asked {
    Multiply(MultiplyOp),
    Alu(AluOp),
}

/// All that the multiplier does, and between them what the ALU has a result for with operands as they are.
fn asked() -> Vec<Asked> {
    let has_result = |op: &AluOp| alu_reference(*op, 0, 0).0.is_some() && !op.inverts_b();
    let mut alu = AluOp::ALL.iter().copied().filter(has_result).map(Asked::Alu).cycle();
    MultiplyOp::ALL.iter().flat_map(|&op| [Asked::Multiply(op)].into_iter().chain(alu.next())).collect()
}

impl Asked {
    fn reference(self, a: u32, b: u32) -> u32 {
        match self {
            Self::Multiply(op) => multiply_reference(op, a, b),
            Self::Alu(op) => alu_reference(op, a, b).0.unwrap(),
        }
    }

    /// The control bits of ALU and multiplier; what is open is taken from `free_bits`.
    fn controls(self, free_bits: u32) -> (u32, u32) {
        let (alu, multiply) = match self {
            Self::Multiply(op) => (None, Some(op)),
            Self::Alu(op) => (Some(op), None),
        };
        (
            control_bits(ALU_CONTROLS, free_bits, |bit| alu?.control_bit(bit)),
            control_bits(MULTIPLY_CONTROLS, free_bits, |bit| multiply?.control_bit(bit)),
        )
    }
}

#[test]
fn products_and_shifts_agree_with_the_host_and_hold_under_back_pressure() {
    let mut unit = Alu::new(&config(2));
    unit.connect_all();
    unit.sp.head_.use_rd.next = true;
    let shifts = CORNERS.into_iter().flat_map(|a| (0..32).map(move |b| (a, b)));
    // Each pair goes through every operation.
    let pairs = pairs(200).chain(shifts);
    let work: Vec<_> = pairs.flat_map(|pair| asked().into_iter().map(move |asked| (asked, pair))).collect();
    let (mut sent, mut received, mut cycle) = (0, 0, 0u32);
    while received < work.len() {
        assert!(cycle < 50_000, "the unit hangs: {received} results");
        // Gaps at the input and a write port that is often taken, in changing patterns.
        let offer = sent < work.len() && cycle % 7 != 3;
        let take = cycle.wrapping_mul(0x9e37_79b9) >> 30 != 0;
        if let Some(&(asked, (a, b))) = work.get(sent) {
            let (alu, multiply) = asked.controls(cycle.wrapping_mul(0x85eb_ca6b) >> 7);
            unit.sp.alu_control.next = bits_of(alu);
            unit.sp.multiply_control.next = bits_of(multiply);
            unit.sp.multiplies.next = matches!(asked, Asked::Multiply(_));
            unit.sp.head_.to_.rd.next = bits_of(sent as u32 & 31);
            unit.sp.a[0].next = bits_of(a);
            unit.sp.b[0].next = bits_of(b);
            unit.sp.a[1].next = bits_of(b);
            unit.sp.b[1].next = bits_of(a);
        }
        unit.sp.valid.next = offer;
        unit.alu_result.ready.next = take;
        assert!(simulate(&mut unit, 20));
        if unit.alu_result.valid.val() && take {
            let (asked, (a, b)) = work[received];
            assert_eq!(unit.alu_result.result_.to_.rd.val().to_u64(), received as u64 & 31);
            let lanes = [0, 1].map(|lane| unit.alu_result.result_.data[lane].val().to_u64() as u32);
            assert_eq!(lanes, [asked.reference(a, b), asked.reference(b, a)], "{asked:?} {a:#x} {b:#x}");
            received += 1;
        }
        sent += usize::from(offer && unit.alu_ready.val());
        edge(&mut unit, |unit, clock| unit.clock.next = clock);
        cycle += 1;
    }
    assert_eq!(sent, work.len());
}

/// A lane's result of a vote or shuffle (`funct3`), from what docs/ISA.md, section 3.1 says of it.
fn cross_lane_reference(funct3: u32, lane: usize, tmask: u32, a: &[u32], b: &[u32]) -> u32 {
    let active = |lane: &usize| tmask >> lane & 1 != 0;
    let votes: Vec<u32> = (0..a.len()).filter(active).map(|lane| a[lane] & 1).collect();
    let field = |low: u32| (b[lane] as usize >> low) % a.len();
    let (asked, clamp, common) = (field(0), field(6), field(12));
    let segment = (lane & common)..=(lane & common | clamp & !common);
    let (from, is_allowed) = match funct3 {
        0 => return votes.iter().all(|&vote| vote == 1).into(),
        1 => return votes.contains(&1).into(),
        2 => return votes.windows(2).all(|pair| pair[0] == pair[1]).into(),
        3 => return (0..a.len()).filter(active).map(|lane| (a[lane] & 1) << lane).sum(),
        4 => (lane.wrapping_sub(asked), asked <= lane && lane - asked >= *segment.start()),
        5 => (lane + asked, lane + asked <= *segment.end()),
        6 => (lane ^ asked, lane ^ asked <= *segment.end()),
        _ => (lane & common | asked & !common, lane & common | asked & !common <= *segment.end()),
    };
    let from = if is_allowed { from } else { lane };
    if active(&from) {
        a[from]
    } else {
        0
    }
}

#[test]
fn lanes_exchange_values_as_defined_and_results_stay_until_the_next() {
    for threads in [1, 2, 8, 32] {
        let cfg = CoreConfig { cross_lane: true, ..config(threads) };
        let mut unit = CrossLane::new(&cfg);
        unit.connect_all();
        let (mut shown, mut of_lanes) = (vec![0; threads], 0);
        let mut words = pairs(40_000).flat_map(|(a, b)| [a.rotate_left(b & 31), b.rotate_left(a & 31)]);
        let steps = if threads == 32 { 60 } else { 300 };
        for step in 0..steps {
            let mut word = || words.next().unwrap();
            let lanes = |word: &mut dyn FnMut() -> u32| (0..threads).map(|_| word()).collect::<Vec<_>>();
            let (a, b) = (lanes(&mut word), lanes(&mut word));
            let tmask = match word() & (u32::MAX >> (32 - threads)) {
                0 => 1,
                mask if step % 3 == 0 => mask,
                _ => u32::MAX >> (32 - threads),
            };
            // Of a vote, now and then, all say the same.
            let a: Vec<u32> = a.iter().map(|value| if step % 5 == 0 { a[0] } else { *value }).collect();
            let (funct3, crosses, load) = (step % 8, step % 7 != 0, step % 11 != 0 || step == 0);
            for lane in 0..threads {
                unit.a[lane].next = bits_of(a[lane]);
                if threads > 1 {
                    unit.b[lane].next = bits_of(b[lane]);
                }
            }
            unit.tmask.next = bits_of(tmask);
            unit.operation.next = bits_of(funct3);
            unit.crosses.next = crosses;
            unit.load.next = load;
            assert!(simulate(&mut unit, 20));
            edge(&mut unit, |unit, clock| unit.clock.next = clock);
            if load {
                let result = |lane| cross_lane_reference(funct3, lane, tmask, &a, &b);
                shown = (0..threads).map(|lane| if crosses { result(lane) } else { 0 }).collect();
                of_lanes = if crosses { tmask } else { u32::MAX };
            }
            for lane in (0..threads).filter(|lane| of_lanes >> lane & 1 != 0) {
                let found = unit.result[lane].val().to_u64() as u32;
                assert_eq!(found, shown[lane], "{threads} lanes, step {step}, lane {lane}");
            }
        }
    }
}

#[test]
fn each_lane_finds_by_itself_whom_it_asks() {
    assert_parts_of(CrossLane::new(&CoreConfig { cross_lane: true, ..config(4) }), &["ShuffleLane"]);
}
