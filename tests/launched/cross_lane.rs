//! CUDA's votes and shuffles, and the parts of a warp of its cooperative groups: beside the same on the host, which has all
//! values of a warp at hand.

use std::path::Path;
use std::process::Command;

use super::{folder, sim};
use crate::sim_cli::{stderr, stdout};

/// Each function once, in warps of any size, of which the last of a block is not full.
const KERNEL: &str = r#"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define PER 40
__global__ void all(const int *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    if (i >= n)
        return;
    unsigned everyone = __activemask(), *o = out + i * PER;
    int v = in[i];
    float f = v * 0.5f;
    long long wide = (long long)v << 20 | lane;
    o[0] = everyone;
    o[1] = __ballot_sync(everyone, v & 1);
    o[2] = __any_sync(everyone, v % 7 == 0);
    o[3] = __all_sync(0xffffffff, v % 5 != 0);
    o[4] = __any_sync(0xffffffff, v % 11 == 0);
    o[5] = __shfl_sync(0xffffffff, v, 3);
    o[6] = __shfl_sync(everyone, v, v, 2);
    o[7] = __shfl_up_sync(everyone, v, 1);
    o[8] = __shfl_up_sync(everyone, v, v & 3, warpSize / 2);
    o[9] = __shfl_down_sync(everyone, v, 2);
    o[10] = __shfl_down_sync(everyone, v, 1, 2);
    o[11] = __shfl_xor_sync(everyone, v, 1);
    o[12] = __shfl_xor_sync(everyone, v, 3, 2);
    o[13] = __float_as_uint(__shfl_xor_sync(everyone, f, 2));
    o[14] = (unsigned)(__shfl_down_sync(everyone, wide, 1) >> 10);
    o[15] = __shfl_down(v, 1) + (unsigned)__shfl((short)v, 0) + __ballot(v > 50) + 2 * __all(v > 9) + 4 * __any(v > 90);
    o[16] = __match_any_sync(everyone, v % 3);
    int same;
    o[17] = __match_all_sync(everyone, v / 64, &same);
    o[18] = same;
    o[19] = __reduce_add_sync(everyone, (unsigned)v);
    o[20] = __reduce_max_sync(everyone, v);
    o[21] = __reduce_xor_sync(everyone, (unsigned)v);
    if (v & 1) {
        /* Lanes that are not here are asked in vain. */
        o[22] = __shfl_xor_sync(__activemask(), v, 1);
        o[23] = __popc(__activemask());
    } else {
        o[22] = __ballot_sync(__activemask(), lane & 1);
        o[23] = 100;
    }
    __syncwarp();
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<2>(block);
    o[24] = tile.shfl(v, 1);
    o[25] = tile.ballot(v & 2);
    o[26] = tile.any(v & 4) + 2 * tile.all(v & 8);
    o[27] = tile.thread_rank() + 10 * tile.meta_group_rank() + 1000 * tile.size();
    o[28] = cg::reduce(tile, v, cg::plus<int>());
    o[29] = cg::reduce(tile, v, cg::less<int>());
    o[30] = cg::inclusive_scan(tile, v);
    o[31] = cg::exclusive_scan(tile, v, cg::plus<int>());
    if (lane != 1) {
        auto here = cg::coalesced_threads();
        o[32] = here.thread_rank() + 100 * here.size();
        o[33] = here.shfl(v, here.size() - 1);
    } else
        o[32] = o[33] = 7;
    o[34] = tile.match_any(v & 1);
    /* A loop that lanes leave at different times. */
    unsigned rounds = 0;
    for (int left = v % 4; __any_sync(0xffffffff, left > 0); left--)
        rounds++;
    o[35] = rounds;
    for (int k = 0; k < v % 3; k++)
        rounds += __popc(__activemask());
    o[36] = rounds;
    o[37] = o[38] = o[39] = 0;
}
__global__ void blocks(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, odd = i < n && in[i] & 1;
    int count = __syncthreads_count(odd), all = __syncthreads_and(i >= n || in[i] < 95), any = __syncthreads_or(i < n && in[i] > 95);
    if (threadIdx.x == blockDim.x - 1)
        out[blockIdx.x] = count + 1000 * all + 10000 * any;
}
"#;

/// The results, from what CUDA says of each function.
const HOST: &str = r#"
struct Warp {
    int lanes, first;
    unsigned mask;
    const int *in;
    int v(int lane) const { return lane < 0 ? 0 : in[first + lane]; }
    template <class P> unsigned ballot(P p) const
    {
        unsigned r = 0;
        for (int l = 0; l < lanes; l++)
            if (mask >> l & 1 && p(l))
                r |= 1u << l;
        return r;
    }
    int is(int lane) const { return lane >= 0 && lane < 32 && mask >> lane & 1; }
    /* Beyond one's own segment one finds oneself, at a lane that is not active nothing. */
    int seg(int lane, int to, int width) const { return to / width != lane / width || to < 0 ? lane : is(to) ? to : -1; }
};
void host(const int *in, unsigned *out, int n)
{
    for (int i = 0; i < n; i++) {
        int t = i % BLOCK, lane = t % WARP, first = i - lane, v = in[i];
        int lanes = BLOCK - (t - lane) < WARP ? BLOCK - (t - lane) : WARP;
        if (first + lanes > n) lanes = n - first;
        Warp w = {lanes, first, (unsigned)((1ull << lanes) - 1), in};
        unsigned *o = out + i * PER;
        auto V = [&](int l) { return w.v(l); };
        o[0] = w.mask;
        o[1] = w.ballot([&](int l) { return V(l) & 1; });
        o[2] = w.ballot([&](int l) { return V(l) % 7 == 0; }) != 0;
        o[3] = w.ballot([&](int l) { return V(l) % 5 == 0; }) == 0;
        o[4] = w.ballot([&](int l) { return V(l) % 11 == 0; }) != 0;
        o[5] = V(w.seg(lane, 3, WARP));
        o[6] = V(w.seg(lane, lane / 2 * 2 + v % 2, 2));
        o[7] = V(w.seg(lane, lane - 1, WARP));
        o[8] = V(w.seg(lane, lane - (v & 3), WARP / 2));
        o[9] = V(w.seg(lane, lane + 2, WARP));
        o[10] = V(w.seg(lane, lane + 1, 2));
        o[11] = V(w.seg(lane, lane ^ 1, WARP));
        /* CUDA: of the lane before one's segment too. */
        o[12] = V((lane ^ 3) > lane / 2 * 2 + 1 ? lane : w.is(lane ^ 3) ? lane ^ 3 : -1);
        o[13] = __builtin_bit_cast(unsigned, V(w.seg(lane, lane ^ 2, WARP)) * 0.5f);
        int next = w.seg(lane, lane + 1, WARP);
        o[14] = next < 0 ? 0 : (unsigned)(((long long)V(next) << 20 | next) >> 10);
        o[15] = V(next) + V(0) + w.ballot([&](int l) { return V(l) > 50; }) + 2 * (w.ballot([&](int l) { return V(l) <= 9; }) == 0)
            + 4 * (w.ballot([&](int l) { return V(l) > 90; }) != 0);
        o[16] = w.ballot([&](int l) { return V(l) % 3 == v % 3; });
        o[18] = w.ballot([&](int l) { return V(l) / 64 == V(0) / 64; }) == w.mask;
        o[17] = o[18] ? w.mask : 0;
        unsigned sum = 0, most = 0, x = 0;
        for (int l = 0; l < lanes; l++) {
            sum += V(l);
            x ^= V(l);
            if (V(l) > (int)most) most = V(l);
        }
        o[19] = sum, o[20] = most, o[21] = x;
        unsigned odd = w.ballot([&](int l) { return V(l) & 1; });
        o[22] = v & 1 ? V(odd >> (lane ^ 1) & 1 ? lane ^ 1 : -1) : w.ballot([&](int l) { return l & 1; }) & ~odd;
        o[23] = v & 1 ? __builtin_popcount(odd) : 100;
        int mate = w.seg(lane, lane ^ 1, 2), low = w.seg(lane, lane & ~1, 2), high = w.seg(lane, lane | 1, 2);
        auto both = [&](int bit) { return (w.is(lane & ~1) && V(lane & ~1) & bit ? 1 : 0) | (w.is(lane | 1) && V(lane | 1) & bit ? 2 : 0); };
        o[24] = V(high);
        o[25] = both(2);
        o[26] = (both(4) != 0) + 2 * ((both(8) | (w.is(lane | 1) ? 0 : 2)) == 3);
        o[27] = t % 2 + 10 * (t / 2) + 2000;
        o[28] = V(mate) + v;
        o[29] = V(mate) < v ? V(mate) : v;
        o[30] = lane & 1 ? V(low) + v : v;
        o[31] = lane & 1 ? V(low) : 0;
        unsigned here = w.mask & ~2u;
        o[32] = lane == 1 ? 7 : __builtin_popcount(here & ((1u << lane) - 1)) + 100 * __builtin_popcount(here);
        o[33] = lane == 1 ? 7 : V(31 - __builtin_clz(here));
        o[34] = ((V(low) & 1) == (v & 1) ? 1 : 0) | (w.is(lane | 1) && (V(high) & 1) == (v & 1) ? 2 : 0);
        unsigned longest = 0;
        for (int l = 0; l < lanes; l++)
            if (V(l) % 4 > (int)longest) longest = V(l) % 4;
        o[35] = longest;
        for (int k = 0; k < v % 3; k++)
            longest += __builtin_popcount(w.ballot([&](int l) { return V(l) % 3 > k; }));
        o[36] = longest;
        o[37] = o[38] = o[39] = 0;
    }
}
void of_blocks(const int *in, int *out, int n)
{
    for (int begin = 0; begin < n; begin += BLOCK) {
        int count = 0, all = 1, any = 0;
        for (int i = begin; i < begin + BLOCK && i < n; i++) {
            count += in[i] & 1;
            all &= in[i] < 95;
            any |= in[i] > 95;
        }
        out[begin / BLOCK] = count + 1000 * all + 10000 * any;
    }
}
"#;

const DESCRIPTION: &str = r#"
sources = ["k.cu"]
defines = ["N=90", "BLOCK=14", "WARP=4"]
array = [
    { name = "in", type = "int", length = "N", value = "random(0, 100)" },
    { name = "out", type = "uint", length = "N * 40", value = "0xffffffff" },
    { name = "found", type = "int", length = "(N + BLOCK - 1) / BLOCK", value = "0" },
]
launch = [
    { kernel = "all", grid = "(N + BLOCK - 1) / BLOCK", block = "BLOCK", args = ["in", "out", "N"] },
    { kernel = "blocks", grid = "(N + BLOCK - 1) / BLOCK", block = "BLOCK", args = ["in", "found", "N"] },
]
reference = [
    { function = "host", args = ["in", "out", "N"] },
    { function = "of_blocks", args = ["in", "found", "N"] },
]
check = [{ array = "out" }, { array = "found" }]
"#;

#[test]
fn lanes_of_warps_of_any_size_exchange_values() {
    let folder = folder(&[("k.cu", &[KERNEL, HOST].concat()), ("k.toml", DESCRIPTION)]);
    for core in [
        &["--preset", "small"][..],
        &["--preset", "medium", "-D", "WARP=8", "--btfn", "--sched", "gtlo"],
        &["--preset", "quad", "--kaws-sharing", "on", "--register-banks", "2", "-D", "WARP=16"],
        &["--preset", "paper", "--sched", "kaws", "-D", "WARP=32", "-D", "BLOCK=50"],
    ] {
        let output = sim(folder.path(), &[core, &["--cross-lane", "k.toml"]].concat());
        assert_eq!(output.status.code(), Some(0), "{core:?}: {}{}", stdout(&output), stderr(&output));
    }
}

/// Before and behind the shuffle lanes part on one condition, which a compiler would rather ask once.
const PARTS_TWICE: &str = r#"
__global__ void k(const int *in, int *out, int n)
{
    int i = threadIdx.x, v = 1000;
    if (i < n)
        v = in[i];
    int w = __shfl_xor_sync(0xffffffff, v, 1);
    if (i < n)
        out[i] = w;
    else
        out[i] = w + 1;
}
void host(const int *in, int *out, int n)
{
    for (int i = 0; i < 32; i++)
        out[i] = ((i ^ 1) < n ? in[i ^ 1] : 1000) + (i >= n);
}
"#;
const PARTS_TWICE_LAUNCHED: &str = r#"
sources = ["k.cu"]
array = [{ name = "in", type = "int", length = 32, value = "i" }, { name = "out", type = "int", length = 32, value = "0" }]
launch = [{ kernel = "k", grid = 1, block = 32, args = ["in", "out", "7"] }]
reference = [{ function = "host", args = ["in", "out", "7"] }]
check = [{ array = "out" }]
"#;

#[test]
fn lanes_that_part_before_and_behind_meet_in_between() {
    let folder = folder(&[("k.cu", PARTS_TWICE), ("k.toml", PARTS_TWICE_LAUNCHED)]);
    let core = ["--preset", "small", "--threads", "32"];
    let output = sim(folder.path(), &[&core[..], &["--cross-lane", "k.toml"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for (options, why) in [
        (&core[..], "k has votes or shuffles; a core has them with --cross-lane"),
        (
            &["--preset", "small", "--cross-lane"],
            "k has votes or shuffles, and nowhere asks for warpSize: it is for warps of 32 threads, and those of this core \
             have 4: --threads 32",
        ),
    ] {
        let output = sim(folder.path(), &[options, &["k.toml"]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn no_compiler_makes_copies_of_a_shuffle() {
    let folder = folder(&[("k.cu", PARTS_TWICE)]);
    for compiler in ["gcc", "clang"] {
        let cc = &mut Command::new(env!("CARGO_BIN_EXE_cc"));
        let arguments = ["--compiler", compiler, "--print", "k.cu"];
        let output = cc.args(arguments).current_dir(folder.path()).output().expect("cc runs");
        let is_shuffle = |line: &&str| {
            let fields: Vec<&str> = line.split([' ', ',', '\t']).filter(|field| !field.is_empty()).collect();
            matches!(fields[..], [".insn", "r", "0x0b" | "11", "6", "1", ..])
        };
        assert_eq!(stdout(&output).lines().filter(is_shuffle).count(), 1, "{compiler}: {}", stderr(&output));
    }
}

#[test]
fn the_example_adds_up() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/examples/scan.toml");
    let example = example.to_str().expect("a path");
    let output = sim(Path::new("."), &["--preset", "medium", "--cross-lane", example]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}
