//! The units' Verilog: it can be printed for every shape, and Verilator has nothing to say against it.
use crate::known::lint;
use crate::rtl_bench::assert_parts_of;
use cosim::verilator::Toolchain;
use hdl::verilog::emit;
use rtl::unit::fpu::{FpuPipeline, FpuSlow};
use rust_hdl::prelude::*;
use spec::config::CoreConfig;

fn check(mut block: impl Block, top: &str) {
    let design = emit(&mut block, top, &[]).unwrap_or_else(|errors| panic!("{top}: {errors:#?}"));
    if let Some(directory) = std::env::var_os("HEDDLE_FPU_OUT") {
        design.write(&std::path::Path::new(&directory).join(top)).unwrap();
    }
    lint(&Toolchain::discover().unwrap(), &design.concat(), top)
        .unwrap_or_else(|error| panic!("{top}: {error}"));
}

#[test]
fn every_shape_can_be_printed_and_is_free_of_lint() {
    for (warps, threads) in [(4, 4), (32, 32), (1, 1)] {
        let cfg = CoreConfig { warps, threads, ..CoreConfig::default() };
        check(FpuPipeline::new(&cfg), "fpu_pipeline");
        check(FpuSlow::new(&cfg), "fpu_slow");
    }
    for (threads, fpu_slow_lanes) in [(4, 1), (4, 2), (32, 4), (8, 8)] {
        let cfg = CoreConfig { threads, fpu_slow_lanes, ..CoreConfig::default() };
        check(FpuSlow::new(&cfg), "fpu_slow");
    }
}

/// What the arithmetic of both units, at corners and at random, is computed by.
#[test]
fn the_units_are_made_of_these_parts() {
    let of_lanes = ["FpuUnpack", "FpuRound"];
    let pipeline = [
        "FpuLane",
        "FpuPrepare",
        "FpuSimple",
        "FpuOrder",
        "FmaSpecial",
        "FmaExponents",
        "SignificandMultiplier",
        "FmaAlign",
        "FmaNormalise",
    ];
    assert_parts_of(FpuPipeline::new(&CoreConfig::default()), &[&of_lanes[..], &pipeline].concat());
    let slow = ["SlowLane", "SlowSpecial", "FpuRecurrence", "LeadingShift", "TraceShift", "RoundToInteger"];
    assert_parts_of(FpuSlow::new(&CoreConfig::default()), &[&of_lanes[..], &slow].concat());
}
