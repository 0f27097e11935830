/* What kernels use of CUB, CUDA's library of parts of algorithms: sums and their like over the threads of a block, and over
 * those of a warp (--cross-lane). Operators need not be commutative: threads are combined in their order.
 */
#ifndef SIMT_CUB_H
#define SIMT_CUB_H

namespace cub {

struct Sum {
    template <class T> T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
    template <class T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

/* Which way makes no difference here. */
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

#ifdef __CUDA_ARCH__

/* A value of each thread of a block. It is shared, and so has no constructor. */
template <class T, unsigned threads> struct simt_of_threads {
    alignas(T) unsigned char bytes[threads * sizeof(T)];
    T *values() { return (T *)bytes; }
};

/* What an operator makes of several values of one thread. */
template <class T, int count, class Op> static __forceinline__ T simt_combined(T (&values)[count], Op op)
{
    T all = values[0];

    for (int i = 1; i < count; i++)
        all = op(all, values[i]);
    return all;
}

/* The result is that of thread 0. Before the storage is used again the threads wait for each other, as in CUDA. */
template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int = 0> struct BlockReduce {
    using TempStorage = simt_of_threads<T, x * y * z>;
    T *values;

    __forceinline__ BlockReduce(TempStorage &storage) : values(storage.values()) {}
    /* Of the first `count` threads. */
    template <class Op> __forceinline__ T Reduce(T value, Op op, int count = x * y * z)
    {
        int rank = (int)simt_thread_rank();

        values[rank] = value;
        __syncthreads();
        for (int apart = 1; apart < x * y * z; apart *= 2) {
            if (rank % (2 * apart) == 0 && rank + apart < count)
                values[rank] = op(values[rank], values[rank + apart]);
            __syncthreads();
        }
        return values[0];
    }
    template <int each, class Op> __forceinline__ T Reduce(T (&of)[each], Op op) { return Reduce(simt_combined(of, op), op); }
    __forceinline__ T Sum(T value, int count = x * y * z) { return Reduce(value, cub::Sum(), count); }
    template <int each> __forceinline__ T Sum(T (&of)[each]) { return Reduce(of, cub::Sum()); }
};

template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0> struct BlockScan {
    using TempStorage = simt_of_threads<T, x * y * z>;
    T *values;

    __forceinline__ BlockScan(TempStorage &storage) : values(storage.values()) {}
    /* Of the threads up to this one; `all` is that of all threads. */
    template <class Op> __forceinline__ void InclusiveScan(T value, T &result, Op op, T &all)
    {
        int rank = (int)simt_thread_rank();

        values[rank] = value;
        __syncthreads();
        for (int apart = 1; apart < x * y * z; apart *= 2) {
            bool joins = rank >= apart;
            T before = values[joins ? rank - apart : rank];

            __syncthreads();
            if (joins)
                values[rank] = op(before, values[rank]);
            __syncthreads();
        }
        result = values[rank];
        all = values[x * y * z - 1];
    }
    template <class Op> __forceinline__ void InclusiveScan(T value, T &result, Op op)
    {
        T all = value;

        InclusiveScan(value, result, op, all);
    }
    /* Of those before it, behind `first`. */
    template <class Op> __forceinline__ void ExclusiveScan(T value, T &result, T first, Op op, T &all)
    {
        int rank = (int)simt_thread_rank();
        T with = value;

        InclusiveScan(value, with, op, all);
        result = rank ? op(first, values[rank - 1]) : first;
    }
    template <class Op> __forceinline__ void ExclusiveScan(T value, T &result, T first, Op op)
    {
        T all = value;

        ExclusiveScan(value, result, first, op, all);
    }
    __forceinline__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __forceinline__ void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
    __forceinline__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(0), cub::Sum()); }
    __forceinline__ void ExclusiveSum(T value, T &result, T &all) { ExclusiveScan(value, result, T(0), cub::Sum(), all); }
};

/* The result is that of the first lane. */
template <class T, int threads = 32, int = 0> struct WarpReduce {
    struct TempStorage {};

    __forceinline__ WarpReduce(TempStorage &) {}
    /* Of the first `count` lanes. */
    template <class Op> __forceinline__ T Reduce(T value, Op op, int count = threads)
    {
        int lane = (int)simt_thread_rank() % threads;

        for (int apart = 1; apart < threads; apart *= 2) {
            T other = simt_shfl_down(value, (unsigned)apart, threads);

            if (lane + apart < count)
                value = op(value, other);
        }
        return value;
    }
    __forceinline__ T Sum(T value, int count = threads) { return Reduce(value, cub::Sum(), count); }
};

#endif

} /* namespace cub */

#endif
