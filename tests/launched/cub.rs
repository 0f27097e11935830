//! `cub.cuh` of CUDA's library CUB: sums and their like over a block and over parts of a warp, beside loops on the host.

use super::{folder, sim};
use crate::sim_cli::expect;

/// Blocks of 18 threads, which are no power of two, in two dimensions. What spans make of each other depends on their order.
const SOURCE: &str = r#"
#include <algorithm>
#include <iterator>
#include <cub/cub.cuh>
#include <cub/warp/warp_reduce.cuh>
#define BLOCK 18
struct Span { int from, to, whole; };
struct Join {
    __device__ Span operator()(const Span &a, const Span &b) const
    {
        return {a.from, b.to, a.whole && b.whole && a.to + 1 == b.from};
    }
};
struct Largest { template <class T> __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; } };

__global__ void of_block(const float *in, float *out, Span *spans, int some)
{
    using Floats = cub::BlockReduce<float, 6, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 3>;
    typedef cub::BlockReduce<Span, 6, cub::BLOCK_REDUCE_RAKING, 3> Spans;
    using Scan = cub::BlockScan<int, 6, cub::BLOCK_SCAN_WARP_SCANS, 3>;
    __shared__ typename Floats::TempStorage floats, others;
    __shared__ Spans::TempStorage of_spans;
    __shared__ Scan::TempStorage scans[4];
    __shared__ cub::BlockScan<Span, 6, cub::BLOCK_SCAN_RAKING, 3>::TempStorage joined;
    int rank = threadIdx.x + 6 * threadIdx.y, i = blockIdx.x * BLOCK + rank;
    float x = in[i], sum = Floats(floats).Sum(x), most = Floats(others).Reduce(x, Largest(), some);
    Span mine = {rank, rank, 1}, before, all = Spans(of_spans).Reduce(mine, Join());
    __syncthreads();
    float pair[2] = {x, 0.5f * x}, of_pairs = Floats(floats).Sum(pair);
    int n = (int)(10 * x), up_to, behind, total;
    Scan(scans[0]).InclusiveSum(n, up_to);
    Scan(scans[1]).ExclusiveSum(n, behind, total);
    int largest, count;
    Scan(scans[2]).InclusiveScan(n, largest, cub::Max());
    Scan(scans[3]).ExclusiveScan(n, count, -7, cub::Min());
    cub::BlockScan<Span, 6, cub::BLOCK_SCAN_RAKING, 3>(joined).ExclusiveScan(mine, before, Span{-1, -1, 1}, Join());
    float found[] = {rank ? 0 : sum, rank ? 0 : most, rank ? 0 : of_pairs, (float)up_to, (float)behind, (float)total,
                     (float)largest, (float)count};
    std::copy(std::begin(found), std::end(found), out + 8 * i);
    spans[2 * i] = before;
    if (rank == 0)
        spans[2 * i + 1] = all;
    else
        std::fill(spans + 2 * i + 1, spans + 2 * i + 2, Span{0, 0, 0});
}

// Four lanes each, of warps of any size; of the last part two.
__global__ void of_warp(const float *in, float *out)
{
    using Part = cub::WarpReduce<float, 4>;
    __shared__ Part::TempStorage parts[5];
    int i = threadIdx.x, at = i / 4, count = at == BLOCK / 4 ? BLOCK % 4 : 4;
    float sum = Part(parts[at]).Sum(in[i], count), most = Part(parts[at]).Reduce(in[i], Largest(), count);
    out[i] = i % (warpSize < 4 ? warpSize : 4) ? 0 : sum + 100 * most;
}

void expect(const float *in, float *out, Span *spans, float *parts, int some)
{
    for (int block = 0; block < 2; block++) {
        const float *x = in + BLOCK * block;
        float sum = 0, most = x[0];
        int total = 0, up_to = 0, largest = -1000, least = -7;
        for (int i = 0; i < BLOCK; i++) {
            sum += x[i];
            most = i < some && most < x[i] ? x[i] : most;
            total += (int)(10 * x[i]);
        }
        for (int i = 0; i < BLOCK; i++) {
            int n = (int)(10 * x[i]), behind = up_to, before = least;
            float *to = out + 8 * (BLOCK * block + i);
            Span *span = spans + 2 * (BLOCK * block + i);
            up_to += n;
            largest = n < largest ? largest : n;
            least = n < least ? n : least;
            to[0] = i ? 0 : sum, to[1] = i ? 0 : most, to[2] = i ? 0 : 1.5f * sum;
            to[3] = up_to, to[4] = behind, to[5] = total, to[6] = largest, to[7] = before;
            span[0] = {-1, i - 1, 1};
            span[1] = i ? Span{0, 0, 0} : Span{0, BLOCK - 1, 1};
        }
    }
    for (int i = 0; i < BLOCK; i++) {
        float sum = 0, most = in[i];
        for (int k = i; k < i + 4 && k < BLOCK; k++)
            sum += in[k], most = most < in[k] ? in[k] : most;
        parts[i] = i % 4 ? 0 : sum + 100 * most;
    }
}
"#;

const DESCRIPTION: &str = r#"
sources = ["k.cu"]
[[array]]
name = "in"
type = "float"
length = 36
value = "i * 7 % 23 - 40 + 0.25f"
[[array]]
name = "out"
type = "float"
length = 288
[[array]]
name = "spans"
type = "Span"
length = 72
[[array]]
name = "parts"
type = "float"
length = 18
[[launch]]
kernel = "of_block"
grid = 2
block = [6, 3]
args = ["in", "out", "spans", 11]
[[launch]]
kernel = "of_warp"
grid = 1
block = 18
args = ["in", "parts"]
[[reference]]
function = "expect"
args = ["in", "out", "spans", "parts", 11]
[[check]]
array = "out"
tolerance = 1e-5
[[check]]
array = "spans"
[[check]]
array = "parts"
tolerance = 1e-5
"#;

#[test]
fn threads_of_a_block_and_of_a_part_of_a_warp_are_combined_in_their_order() {
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION)]);
    for lanes in [["--preset", "medium"], ["--threads", "32"]] {
        let output = sim(folder.path(), &[&lanes[..], &["--cross-lane", "k.toml"]].concat());
        expect(&output, 0);
    }
}
