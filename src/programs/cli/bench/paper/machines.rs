//! Machines like those of the papers, as far as they fit a memory port of 64-byte lines and the time that a simulation takes.
//!
//! They measured GPUs whose warps have 32 threads and whose cache lines 128 bytes. Here a line is half as long, so warps
//! have half the lanes: what a warp loads from consecutive words is a line, there and here. Data caches have half the
//! bytes, which is as many lines; and half as many lines can be under way, so that memory answers after half the time.

use spec::config::{CacheConfig, CoreConfig, DataCacheConfig};

/// A GTX 480's shader, with that many warps, schedulers, each with its own 16 lanes of arithmetic, and bytes of data cache.
pub(super) fn fermi(warps: usize, slices: usize, dcache_bytes: usize) -> CoreConfig {
    CoreConfig {
        warps,
        threads: 16,
        slices,
        queue_depth: 2,
        icache: CacheConfig { bytes: 2048, ways: 4 },
        dcache: DataCacheConfig { bytes: dcache_bytes, ways: 4, write_back: false },
        mshrs: 16,
        ..CoreConfig::default()
    }
}

/// The memory behind it: at 1400 MHz a line takes seven cycles of the channel, 9.1 bytes a cycle; a GTX 480 has 8.4 for
/// each of its shaders. The controller's latency stands for the network and the second cache too. Banks and order are those of
/// iPAWS, table 1.
pub(super) const FERMI_MEMORY: &str = "dram:mhz=1400,banks=16,frfcfs=1,ctl=140";
/// For programs that are as large as the paper's: with a shader's part of the second cache, rounded up to a power of two, and
/// banks by a hash. A read that misses it takes as long as above.
pub(super) const FERMI_WITH_CACHE: &str = "dram:mhz=1400,banks=16,frfcfs=1,hash=1,l2=65536,ctl=35";

/// The same as slow as DRAM is in MOTRR (III): 400 to 600 cycles. How large its inputs are it does not say; those that come
/// with its programs are larger than the second cache.
pub(super) const SLOW_FERMI_MEMORY: &str = "dram:mhz=1400,banks=16,frfcfs=1,ctl=445";
pub(super) const SLOW_FERMI_WITH_CACHE: &str = "dram:mhz=1400,banks=16,frfcfs=1,hash=1,l2=65536,ctl=340";

/// A Titan X's shader.
pub(super) fn pascal() -> CoreConfig {
    CoreConfig {
        warps: 64,
        threads: 16,
        slices: 4,
        icache: CacheConfig { bytes: 4096, ways: 4 },
        dcache: DataCacheConfig { bytes: 16 * 1024, ways: 4, write_back: false },
        mshrs: 16,
        register_banks: 8,
        collectors: 4,
        cta_slots: 32,
        ..CoreConfig::default()
    }
}

/// The memory behind it: five cycles a line, 12.8 bytes a cycle; a Titan X has 12.1 for each of its shaders.
pub(super) const PASCAL_MEMORY: &str = "dram:mhz=1400,ctl=140,burst=5";
pub(super) const PASCAL_WITH_CACHE: &str = "dram:mhz=1400,hash=1,l2=131072,ctl=35,burst=5";

/// What is said of all that is like a GTX 480.
pub(super) const BLOCKS: [&str; 3] =
    ["blocks at once", "8", "as many as there are warps for, since some blocks are smaller here"];
pub(super) const LANES: [&str; 3] = ["lanes of a warp", "32", "16, and lines of 64 bytes instead of 128"];
pub(super) const BANDWIDTH: [&str; 3] =
    ["bandwidth a shader", "177 GB/s, 15 shaders, 1.4 GHz: 8.4 bytes a cycle", "9.1 bytes a cycle"];
pub(super) const LATENCY: [&str; 3] = [
    "latency",
    "second cache over 100 cycles, DRAM 400 to 600 (MOTRR III)",
    "195 cycles and queueing: half, as there are half the MSHRs",
];
pub(super) const SECOND_CACHE: [&str; 3] = [
    "second cache",
    "768 KB for 15 shaders (MOTRR and iPAWS, tables 1)",
    "none; for the programs themselves 64 KB, which answers after 105 cycles",
];
/// Instead of two schedulers. What limits memory is simulated for long, and half the shader in a sixth of the time that the
/// whole takes.
pub(super) const ONE: &str = "1, with all warps";
