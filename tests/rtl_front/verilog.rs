//! The front end's Verilog: it can be printed for every shape, and Verilator has nothing to say against it.
use crate::rtl_bench::assert_parts_of;
use crate::tool_cache::lint;
use cosim::verilator::Toolchain;
use hdl::verilog::emit;
use rtl::mem::icache::InstructionCache;
use rtl::stage::decode::{Decoder, SecondDecoder};
use rtl::stage::ibuffer::InstructionBuffer;
use rtl::stage::schedule::WarpTable;
use rust_hdl::prelude::*;
use spec::config::{CacheConfig, CoreConfig};

fn check(mut block: impl Block, top: &str) {
    let design = emit(&mut block, top, &[]).unwrap_or_else(|errors| panic!("{top}: {errors:#?}"));
    if let Some(directory) = std::env::var_os("FRONT_OUT") {
        design.write(std::path::Path::new(&directory)).unwrap();
    }
    lint(&Toolchain::discover().unwrap(), &design.concat(), top)
        .unwrap_or_else(|error| panic!("{top}: {error}"));
}

#[test]
fn every_shape_can_be_printed_and_is_free_of_lint() {
    let shapes = [
        (4, 4, 1, 4, 16384, 1),
        (1, 1, 1, 2, 64, 1),
        (1, 4, 1, 4, 16384, 1),
        (6, 2, 2, 8, 512, 4),
        (32, 32, 4, 4, 65536, 2),
    ];
    for (warps, threads, slices, queue_depth, bytes, ways) in shapes {
        let icache = CacheConfig { bytes, ways };
        for fetch_width in [1, 2] {
            let base = CoreConfig { warps, threads, slices, queue_depth, icache, ..CoreConfig::default() };
            let cfg = CoreConfig { fetch_width, ..base };
            check(WarpTable::new(&cfg), "warp_table");
            check(InstructionCache::new(&cfg), "icache");
            check(InstructionBuffer::new(&cfg), "ibuffer");
        }
    }
    check(SecondDecoder::new(&CoreConfig { fetch_width: 2, ..CoreConfig::default() }), "second_decoder");
    check(Decoder::new(&CoreConfig::default()), "decoder");
}

/// What the tests of table, cache and queues are tests of.
#[test]
fn the_front_end_is_made_of_these_parts() {
    let cfg = CoreConfig::default();
    assert_parts_of(WarpTable::new(&cfg), &["FetchSelect", "AgeMatrix"]);
    assert_parts_of(InstructionCache::new(&cfg), &["CacheWay", "FillTable"]);
    assert_parts_of(InstructionBuffer::new(&cfg), &["InstructionQueue", "QueuePlace", "Payload"]);
}
