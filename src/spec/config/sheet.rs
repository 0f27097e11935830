//! The data sheet of a core: every parameter, once.
//!
//! An entry is `name: type = default => { facts }`. The first line above it is the help of its option, what follows that
//! is for who reads sources. A fact that is not given is that of [`Parameter::plain`]; those of a policy stand in its
//! entry of `src/spec/registry.rs`. [`CoreConfig`], the TOML file, the options of all programs, validation and its messages, the
//! head of generated files and the random cores of the tests follow (CONTRIBUTING.md, "Adding a parameter").

use serde::{Deserialize, Serialize};

use super::parameter::{says, takes, Needs, Parameter};
use super::rules::*;
use super::value::Value;
use super::Range::{Between, OneOf, PowerOfTwo};
use super::{
    BusKind, CacheConfig, DataCacheConfig, FETCH_LATENCY, FEW_LANES, MAX_QUEUE, MAX_THREADS, MAX_WARPS,
};
use crate::registry::{CtaTable, Stage};

/// How many slices there may be.
pub(super) const SLICES: &[usize] = &[1, 2, 4];
/// How many banks a data cache may have.
pub(super) const BANKS: &[usize] = &[1, 2, 4];

const A_DATA_CACHE: Option<Needs> =
    Some(Needs { met: |core| core.dcache.bytes > 0, without: "without data cache", give: "--dcache SIZE" });

const A_DISPATCHER: Option<Needs> = Some(Needs {
    met: |core| core.grid,
    without: "without dispatcher of thread blocks",
    give: "no --no-grid",
});

macro_rules! parameters {
    ($($of_policies:tt)*) => { declare! {
        /// Warps resident on the core, 1 to 64
        ///
        /// Warp slots (W).
        warps: usize = 4 => {
            options: &[takes("--warps", "N")],
            always: true,
            range: Between(1, MAX_WARPS),
            rules: &[a_multiple_of_slices],
            tries: "1 2 3 5 6 7 8 8 12",
        }
        /// Lanes in a warp, a power of two up to 32
        ///
        /// T.
        threads: usize = 4 => {
            options: &[takes("--threads", "N")],
            always: true,
            range: PowerOfTwo(1, MAX_THREADS),
            tries: "1 2 8",
        }
        /// Issue slices, each with a warp scheduler of its own: 1, 2 or 4
        ///
        /// Each has its own register file and arithmetic units too; slice `s` owns the warps `w mod slices == s`.
        slices: usize = 1 => {
            options: &[takes("--slices", "N")],
            always: true,
            range: OneOf(SLICES),
            rules: &[one_slice_under_swas],
        }
        /// Warp scheduler of the fetch stage
        ///
        /// Key of a policy for that stage, or of the unified scheduler as in `issue`.
        fetch: String = "lrr".into() => {
            options: &[takes("--fetch", "KEY")],
            always: true,
            stage: Some(Stage::Fetch),
            rules: &[a_fetch_policy, both_stages_under_swas],
        }
        /// Warp scheduler of the issue stage
        ///
        /// Key of a policy for that stage, or of the unified scheduler (`swas:` and the policy inside), which needs one slice
        /// and queues of t_F + 1 entries.
        issue: String = "lrr".into() => {
            options: &[takes("--issue", "KEY")],
            always: true,
            stage: Some(Stage::Issue),
            rules: &[an_issue_policy],
        }
        $($of_policies)*
        /// Entries in each warp's instruction queue: 2, 4 or 8
        queue_depth: usize = FETCH_LATENCY + 1 => {
            options: &[takes("--queue", "N")],
            always: true,
            range: OneOf(&[2, 4, MAX_QUEUE]),
            rules: &[queue_under_swas],
        }
        /// Instruction cache of each slice: capacity in bytes (K for 1024) and, after a colon, ways; for example 16K:2
        icache: CacheConfig = CacheConfig::default() => {
            options: &[takes("--icache", "SIZE[:WAYS]")],
            always: true,
            rules: &[icache_ways, icache_bytes],
            tries: "1K 4K 2K:2 8K:2 4K:4 16K:4",
        }
        /// Instructions that an access to the instruction cache reads: 1, or 2 words of a line, for empty queues only; not under swas
        ///
        /// As in the front end of MOTRR III.2: with 2 a warp fetches when its queue is empty and nothing is on its way to it.
        fetch_width: usize = 1 => {
            options: &[takes("--fetch-width", "N")],
            range: OneOf(&[1, 2]),
            rules: &[one_word_under_swas],
        }
        /// Data cache: capacity in bytes, ways, and wb for write-back; for example 16K:2:wb
        ///
        /// Without bytes there is none, and requests go to the bus.
        dcache: DataCacheConfig = DataCacheConfig::default() => {
            options: &[
                takes("--dcache", "SIZE[:WAYS[:wb]]"),
                says("--no-dcache", "0").help("No data cache: loads and stores go to the bus"),
            ],
            always: true,
            rules: &[dcache_ways, dcache_bytes],
            tries: "0 0 64 256 4K 128:2 8K:2 1K:4 64:1:wb 4K:1:wb 512:2:wb 256:4:wb 16K:4:wb",
        }
        /// Banks of the data cache, which divide its capacity, each with a path of its own from the lanes and back, for as many lines a cycle: 1, 2 or 4
        cache_banks: usize = 1 => {
            options: &[takes("--cache-banks", "N")],
            range: OneOf(BANKS),
            rules: &[a_line_a_way_in_each_bank],
            needs: A_DATA_CACHE,
        }
        /// Lines that a bank of the data cache may have asked memory for at once, 1 to 16, and 32 in all banks
        mshrs: usize = 8 => {
            options: &[takes("--mshrs", "N")],
            always: true,
            rules: &[mshrs_of_all_banks],
            needs: A_DATA_CACHE,
            tries: "1 2 3 16",
        }
        /// Local memory in bytes (K for 1024)
        ///
        /// It is on the core, one bank a lane, at 0xFFFF0000.
        local_mem_bytes: usize = 16 * 1024 => {
            options: &[takes("--local-mem", "SIZE")],
            always: true,
            rules: &[local_memory_for_all_lanes],
            tries: "64 256 1K",
        }
        /// Let each row of local memory, a word a bank, begin one bank after the row before: lanes that go down a column of a matrix then meet no bank conflicts
        ///
        /// Word w is in bank (w + w / T) mod T, else in w mod T: a skewed storage scheme (Budnik and Kuck, 1971). With two lanes
        /// or one it would gain nothing.
        local_mem_skew: bool = false => {
            options: &[says("--local-mem-skew", "on")],
            needs: Some(Needs {
                met: |core| core.threads > FEW_LANES,
                without: "with so few lanes",
                give: "--threads 4",
            }),
            tries: "on",
        }
        /// Interleave the words of the stacks of up to 8 lanes in memory, so that lanes which use the same place of their stacks meet in a line
        ///
        /// As GPUs do with memory of a thread's own (CUDA C++ Programming Guide, "Local Memory"; docs/ISA.md, section 6).
        stack_interleave: bool = false => {
            options: &[says("--stack-interleave", "on")],
            needs: Some(Needs {
                met: |core| core.threads > 1,
                without: "with one lane",
                give: "--threads 2",
            }),
            tries: "on",
        }
        /// Line requests of loads that may be under way to a bank of the data cache, 1 to 16
        ///
        /// That is for a path of the load-store unit, and as many loads may be under way in all paths.
        load_slots: usize = 16 => {
            options: &[takes("--load-slots", "N")],
            always: true,
            range: Between(1, 16),
            tries: "1 2 3 8",
        }
        /// Memory instructions that the load-store unit works on at once, each of other slices: 1, 2 or 4; each data cache bank serves the one taken first
        ///
        /// Instruction k of them is of the slices s with s mod N = k. A slice takes results of its own from all banks then.
        lsu_accesses: usize = 1 => {
            options: &[takes("--lsu-accesses", "N")],
            range: OneOf(SLICES),
            rules: &[accesses_of_different_slices, loads_of_all_accesses],
            needs: Some(Needs {
                met: |core| core.line_paths() > 1,
                without: "where all accesses go the same way",
                give: "--cache-banks 2",
            }),
        }
        /// Banks of a slice's registers, which operand collectors read in turn: 2, 4 or 8; 0 for a copy of the registers for each operand
        ///
        /// A bank has one read port; all copies are read at once.
        register_banks: usize = 0 => {
            options: &[takes("--register-banks", "N")],
            range: OneOf(&[0, 2, 4, 8]),
            rules: &[no_register_banks_under_swas],
        }
        /// Operand collectors of a slice for each class of instructions, 1 to 4; with --register-banks
        collectors: usize = 2 => {
            options: &[takes("--collectors", "N")],
            always: true,
            range: Between(1, 4),
            needs: Some(Needs {
                met: super::CoreConfig::collects,
                without: "where all operands are read at once",
                give: "--register-banks 4",
            }),
            tries: "1 3 4",
        }
        /// Bits of a quotient that the divider finds in a cycle: 1, 2 or 4
        div_bits: usize = 2 => {
            options: &[takes("--div-bits", "N")],
            always: true,
            range: OneOf(&[1, 2, 4]),
        }
        /// Let every division take as long as one of 32 bits, whatever its operands
        ///
        /// Else its time depends on the longest dividend.
        div_fixed: bool = false => {
            options: &[says("--div-fixed", "on")],
            tries: "on",
        }
        /// Static branch prediction: behind a branch that goes back fetching goes on at its target; not under swas or with --oracle
        ///
        /// Backward taken and forward not (BTFN): fetching goes on at the target of a branch that goes back, or JAL, once it is
        /// decoded, and waits behind JALR; else it goes on in sequence, as if no branch were taken.
        btfn: bool = false => {
            options: &[says("--btfn", "on")],
            rules: &[no_prediction_that_schedules_forbid],
            tries: "on",
        }
        /// Have a floating-point unit: the instructions and registers of F
        ///
        /// Without one they are illegal.
        fpu: bool = true => {
            options: &[
                says("--fpu", "on"),
                says("--no-fpu", "off").help("Leave the floating-point unit out"),
            ],
            always: true,
            tries: "off",
        }
        /// Lanes that convert, divide or take a root at a time: a power of two up to the threads, or 0 for all of them
        ///
        /// Fewer make the slow floating-point unit smaller, and its instructions take as many times longer.
        fpu_slow_lanes: usize = 0 => {
            options: &[takes("--fpu-slow-lanes", "N")],
            rules: &[slow_lanes_of_a_warp],
            needs: Some(Needs { met: |core| core.fpu, without: "without floating-point unit", give: "--fpu" }),
            tries: "1",
        }
        /// Have atomic operations on words of memory: the instructions of Zaamo, and AMOCAS.W of Zacas
        ///
        /// Without them they are illegal.
        atomics: bool = false => {
            options: &[says("--atomics", "on")],
            tries: "on",
        }
        /// Have votes and shuffles, which exchange values between the lanes of a warp
        ///
        /// They are those of Vortex 3.0. Without them they are illegal.
        cross_lane: bool = false => {
            options: &[says("--cross-lane", "on")],
            tries: "on",
        }
        /// Bus to memory: native (64-byte lines) or axi4
        bus: BusKind = BusKind::Native => {
            options: &[takes("--bus", "BUS")],
        }
        /// Width of the AXI4 data channels in bits: 32, 64, 128, 256 or 512
        axi_data_bits: usize = 64 => {
            options: &[takes("--axi-data-bits", "BITS")],
            always: true,
            range: OneOf(&[32, 64, 128, 256, 512]),
            needs: Some(Needs {
                met: |core| core.bus == BusKind::Axi4,
                without: "with the native bus",
                give: "--bus axi4",
            }),
        }
        /// Have a dispatcher of thread blocks, and run grids (docs/ISA.md, section 7.1)
        grid: bool = true => {
            options: &[
                says("--no-grid", "off").help("Leave out the dispatcher of thread blocks: the core then runs no grids"),
            ],
        }
        /// Start warps of a block whenever a warp slot is free, instead of all together
        ///
        /// One warp a cycle; else a block starts when all slots of a CTA slot are free, as on the papers' machines.
        warp_dispatch: bool = false => {
            options: &[says("--warp-dispatch", "on")],
            needs: A_DISPATCHER,
            tries: "on",
        }
        /// Blocks that may be resident at once, as far as there are warps for them; 0 for one a warp
        ///
        /// CTA slots (C): 8 in BAWS, 32 in KAWS. What is kept for each is as large, and a grid has no more of its blocks
        /// on the core at once.
        cta_slots: usize = 0 => {
            options: &[takes("--cta-slots", "N")],
            range: Between(0, MAX_WARPS),
            needs: A_DISPATCHER,
            tries: "1 2 3",
        }
        /// Count how often the issue scheduler departs from its policy (discrepancies, errors)
        ///
        /// In each slice, by the oracles of SWaS.
        oracle: bool = false => {
            options: &[says("--oracle", "on")],
            rules: &[a_policy_that_oracles_follow, no_oracles_of_shared_warps, a_trace_port_for_oracles],
        }
        /// Have performance counters
        counters: bool = true => {
            options: &[
                says("--no-counters", "off").help("Leave out the performance counters; their CSRs then read 0"),
            ],
        }
        /// Have the trace port, which the lock-step check reads
        trace_port: bool = true => {
            options: &[
                says("--no-trace-port", "off").help("Leave out the trace port, which only the lock-step check needs"),
            ],
        }
    } };
}

macro_rules! declare {
    ($(
        #[doc = $help:literal] $(#[doc = $more:literal])*
        $name:ident: $type:ty = $default:expr => $(under $policy:literal)? { $($fact:ident: $value:expr,)* }
    )*) => {
        /// Every parameter of a generated core.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct CoreConfig {
            $(
                #[doc = $help]
                $(#[doc = $more])*
                #[serde(deserialize_with = "Value::from_file", skip_serializing_if = "Value::is_missing")]
                pub $name: $type,
            )*
            /// No parameter: tables of CTAs that policies order by which stand beside this core's in one simulator.
            #[serde(skip)]
            pub tables_beside: Vec<CtaTable>,
        }

        impl Default for CoreConfig {
            /// The `small` preset.
            fn default() -> Self {
                Self { $($name: $default,)* tables_beside: vec![] }
            }
        }

        /// The data sheet: every parameter, in the order in which users see them.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            help: $help,
            read: |core, text| Value::read(&mut core.$name, text),
            forget: |core| core.$name = $default,
            write: |core| Value::write(&core.$name),
            number: |core| Value::number(&core.$name),
            $($fact: $value,)*
            ..Parameter::plain(&[$($policy)?])
        },)*];
    };
}

/// Puts the parameters of policies, each under the key of its policy, among the others.
macro_rules! with_policies {
    ($(
        $key:literal => $module:ident::$policy:ident $facts:tt
        $(with {$(
            $(#[doc = $doc:literal])*
            $name:ident: $type:ty = $default:expr => $own:tt
        )*})?
    )*) => {
        parameters! { $($($($(#[doc = $doc])* $name: $type = $default => under $key $own)*)?)* }
    };
}
crate::policies!(with_policies);
