//! The divider in Verilog: its results against host arithmetic, its time against that of the timing model.

use crate::rtl_alu::{muldiv_reference, CORNERS};
use crate::rtl_bench::{assert_parts_of, library_of, Dut, Random};
use crate::sample::seeds;
use model::timing::Latencies;
use rtl::unit::divider::DivideUnit;
use spec::config::CoreConfig;

const LANES: usize = 4;

/// Every kind of divider.
fn configurations() -> impl Iterator<Item = CoreConfig> {
    let kinds = [1, 2, 4].into_iter().flat_map(|div_bits| [(div_bits, false), (div_bits, true)]);
    kinds.map(|(div_bits, div_fixed)| CoreConfig {
        threads: LANES,
        div_bits,
        div_fixed,
        ..CoreConfig::default()
    })
}

/// A DIV, DIVU, REM or REMU, by its minor opcode.
#[derive(Clone, Copy, Debug)]
struct Division {
    funct3: u32,
    tmask: u32,
    /// Dividend and divisor of each lane.
    lanes: [(u32, u32); LANES],
}

impl Division {
    /// What each active lane gets.
    fn results(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let on = (0..LANES).filter(|lane| self.tmask >> lane & 1 == 1);
        on.map(|lane| (lane, muldiv_reference(self.funct3, self.lanes[lane].0, self.lanes[lane].1)))
    }

    fn cycles(&self, cfg: &CoreConfig) -> u32 {
        let dividends = self.results().map(|(lane, _)| self.lanes[lane].0);
        Latencies::of(cfg).division(self.funct3 & 1 == 0, dividends)
    }
}

/// Gives the unit a division, and whatever comes to mind while it works on it and waits to be heard.
fn divide(dut: &mut Dut, cfg: &CoreConfig, division: &Division, random: &mut Random) {
    let offer = |dut: &mut Dut, valid: u64, division: &Division| {
        dut.set("sfu_valid", valid);
        dut.set("sfu_funct3", division.funct3.into());
        dut.set("sfu_tmask", division.tmask.into());
        for (lane, (dividend, divisor)) in division.lanes.into_iter().enumerate() {
            dut.set_at("sfu_rs1", lane, 32, dividend);
            dut.set_at("sfu_rs2", lane, 32, divisor);
        }
        dut.set("sfu_rd", valid * 9);
        dut.settle();
    };
    dut.set("div_result_ready", 0);
    offer(dut, 1, division);
    assert_eq!((dut.get("div_ready"), dut.get("div_busy")), (1, 0));
    let mut cycles = 0;
    let mut waits = random.below(3);
    loop {
        dut.edge();
        offer(dut, random.next() & 1, &any_division(random));
        assert_eq!((dut.get("div_ready"), dut.get("div_busy")), (0, 1));
        cycles += 1;
        assert!(cycles < 40, "no result: {division:x?}");
        if dut.get("div_result_valid") == 1 {
            assert!(cycles >= division.cycles(cfg), "{cycles} cycles: {division:x?}");
            if waits == 0 {
                break;
            }
            waits -= 1;
            cycles -= 1;
        } else {
            assert!(cycles < division.cycles(cfg), "{cycles} cycles, and no result: {division:x?}");
        }
    }
    assert_eq!((dut.get("div_result_rd"), dut.get("div_result_tmask")), (9, division.tmask.into()));
    for (lane, expected) in division.results() {
        assert_eq!(dut.get_at("div_result_data", lane, 32), expected, "lane {lane}: {division:x?}");
    }
    dut.set("div_result_ready", 1);
    offer(dut, 0, division);
    dut.edge();
    dut.settle();
    assert_eq!((dut.get("div_result_valid"), dut.get("div_busy")), (0, 0));
}

/// A number of any length, a corner as often as not.
fn operand(random: &mut Random) -> u32 {
    match random.below(4) {
        0 | 1 => CORNERS[random.below(CORNERS.len())],
        2 => random.next() as u32 >> random.below(32),
        _ => ((random.next() as u32 >> random.below(32)) as i32).wrapping_neg() as u32,
    }
}

fn any_division(random: &mut Random) -> Division {
    Division {
        funct3: 4 + random.below(4) as u32,
        tmask: 1 + random.below((1 << LANES) - 1) as u32,
        lanes: std::array::from_fn(|_| (operand(random), operand(random))),
    }
}

#[test]
fn corners_are_divided_by_corners_in_every_lane() {
    for cfg in configurations() {
        let mut dut = Dut::new(&library_of(&cfg, "DivideUnit", DivideUnit::new));
        let mut random = Random::new(1);
        let pairs = CORNERS.into_iter().flat_map(|a| CORNERS.into_iter().map(move |b| (a, b)));
        for (at, pair) in pairs.enumerate() {
            for funct3 in 4..8 {
                // Alone, whatever is in the lanes that are off; then in all lanes.
                let mut division = any_division(&mut random);
                division = Division { funct3, tmask: 1 << (at % LANES), ..division };
                division.lanes[at % LANES] = pair;
                divide(&mut dut, &cfg, &division, &mut random);
                let division = Division { tmask: (1 << LANES) - 1, lanes: [pair; LANES], ..division };
                divide(&mut dut, &cfg, &division, &mut random);
            }
        }
    }
}

#[test]
fn random_numbers_are_divided_in_the_time_of_the_longest_that_is_on() {
    for cfg in configurations() {
        let mut dut = Dut::new(&library_of(&cfg, "DivideUnit", DivideUnit::new));
        for seed in seeds(0, 4) {
            let mut random = Random::new(seed);
            for _ in 0..500 {
                let division = any_division(&mut random);
                divide(&mut dut, &cfg, &division, &mut random);
            }
        }
    }
}

/// The time of a division, as ARCHITECTURE.md has it, by example.
#[test]
fn a_division_takes_a_cycle_for_each_step_of_its_longest_dividend() {
    let by_bits = [
        (false, 0, 0),
        (false, 1, 1),
        (false, 4095, 12),
        (false, 4096, 13),
        (false, u32::MAX, 32),
        (true, 0, 0),
        (true, u32::MAX, 1),
        (true, -2i32 as u32, 2),
        (true, -3i32 as u32, 3),
        (true, i32::MAX as u32, 31),
        (true, i32::MIN as u32, 32),
    ];
    for cfg in configurations() {
        let latencies = Latencies::of(&cfg);
        let step = cfg.div_bits as u32;
        for (is_signed, dividend, bits) in by_bits {
            let steps = if cfg.div_fixed { 32 / step } else { u32::div_ceil(bits, step) };
            let cycles = latencies.division(is_signed, [0, dividend, 0].into_iter());
            assert_eq!(cycles, steps + 1, "{dividend:x}, {step} bits a step");
        }
    }
}

#[test]
fn the_unit_counts_the_steps_of_its_dividends() {
    assert_parts_of(DivideUnit::new(&CoreConfig::default()), &["DivideLength"]);
}
