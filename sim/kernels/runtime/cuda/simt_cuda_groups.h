/* CUDA's cooperative groups: the thread block, parts of a warp, and what of the grid needs no waiting. */
#ifndef SIMT_CUDA_GROUPS_H
#define SIMT_CUDA_GROUPS_H

#define SIMT_NO_GRID_SYNC                                                       \
    "blocks of a grid do not wait for each other: let another kernel do what comes after"

#define SIMT_ABSENT_MEMBER(name, why)                                           \
    template <class... Any> __attribute__((error(why))) static int name(Any...);

namespace cooperative_groups {

/* Each call is a copy of its own, as of __syncthreads(). */
struct thread_block {
    static __attribute__((always_inline)) void sync() { __syncthreads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 dim_threads() { return blockDim; }
    static dim3 group_dim() { return dim_threads(); }
    static unsigned thread_rank() { return simt_thread_rank(); }
    static unsigned num_threads() { return simt_block_threads(); }
    static unsigned size() { return num_threads(); }
};

struct grid_group {
    SIMT_ABSENT_MEMBER(sync, SIMT_NO_GRID_SYNC)
    static dim3 group_dim() { return gridDim; }
    static unsigned num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
    static unsigned block_rank()
    {
        return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
    static unsigned size() { return num_threads(); }
    static unsigned thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
};

static inline thread_block this_thread_block() { return {}; }
static inline grid_group this_grid() { return {}; }
template <class Group> static inline __attribute__((always_inline)) void sync(const Group &group) { group.sync(); }

/* A part of a warp: as many threads, which follow one another. */
template <unsigned threads, class = void> struct thread_block_tile {
    static_assert(threads && threads <= 32 && !(threads & (threads - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");
    SIMT_TOGETHER void sync() { __syncwarp(); }
    static unsigned thread_rank() { return thread_block::thread_rank() % threads; }
    static unsigned num_threads() { return threads; }
    static unsigned size() { return threads; }
    static unsigned meta_group_rank() { return thread_block::thread_rank() / threads; }
    static unsigned meta_group_size() { return (thread_block::num_threads() + threads - 1) / threads; }
    template <class T> SIMT_TOGETHER T shfl(T value, int rank) { return simt_shfl(value, rank, threads); }
    template <class T> SIMT_TOGETHER T shfl_up(T value, unsigned by) { return simt_shfl_up(value, by, threads); }
    template <class T> SIMT_TOGETHER T shfl_down(T value, unsigned by) { return simt_shfl_down(value, by, threads); }
    template <class T> SIMT_TOGETHER T shfl_xor(T value, unsigned bits) { return simt_shfl_xor(value, (int)bits, threads); }
    SIMT_TOGETHER unsigned ballot(int condition) { return of_tile(simt_vote_ballot(condition)); }
    SIMT_TOGETHER int any(int condition) { return ballot(condition) != 0; }
    SIMT_TOGETHER int all(int condition) { return ballot(!condition) == 0; }
    template <class T> SIMT_TOGETHER unsigned match_any(T value)
    {
        return of_tile(__match_any_sync(lanes(), value));
    }
    static unsigned lanes() { return simt_active_lanes() & all_ranks << first_lane(); }

private:
    static constexpr unsigned all_ranks = (2u << (threads - 1)) - 1;
    static unsigned first_lane() { return simt_lane() & ~(threads - 1); }
    static unsigned of_tile(unsigned lanes) { return lanes >> first_lane() & all_ranks; }
};
template <unsigned threads> static inline unsigned lanes_of(const thread_block_tile<threads> &tile) { return tile.lanes(); }
template <unsigned threads, class Group> SIMT_TOGETHER thread_block_tile<threads> tiled_partition(const Group &)
{
    return {};
}

/* The block, or a part of a warp whose size may be found when the kernel runs. */
struct thread_group {
    /* 0 for the block. */
    unsigned tile;
    thread_group(const thread_block &) : tile(0) {}
    template <unsigned threads> thread_group(const thread_block_tile<threads> &) : tile(threads) {}
    explicit thread_group(unsigned threads) : tile(threads) {}
    __forceinline__ void sync() const { tile ? __syncwarp() : __syncthreads(); }
    unsigned num_threads() const { return tile ? tile : thread_block::num_threads(); }
    unsigned size() const { return num_threads(); }
    unsigned thread_rank() const { return thread_block::thread_rank() % num_threads(); }
};
template <class Group> SIMT_TOGETHER thread_group tiled_partition(const Group &, unsigned threads)
{
    return thread_group(threads);
}

/* The threads of a warp that come here together. */
struct coalesced_group {
    unsigned lanes;
    void sync() const { __syncwarp(); }
    unsigned num_threads() const { return (unsigned)__popc(lanes); }
    unsigned size() const { return num_threads(); }
    unsigned thread_rank() const { return (unsigned)__popc(lanes & ((1u << simt_lane()) - 1)); }
    __forceinline__ unsigned ballot(int condition) const
    {
        unsigned ayes = __ballot_sync(lanes, condition), ranks = 0;

        for (unsigned left = lanes, rank = 0; left; left &= left - 1, rank++)
            ranks |= (ayes >> simt_first_lane(left) & 1) << rank;
        return ranks;
    }
    __forceinline__ int any(int condition) const { return __any_sync(lanes, condition); }
    __forceinline__ int all(int condition) const { return __all_sync(lanes, condition); }
    template <class T> __forceinline__ T shfl(T value, unsigned rank) const
    {
        unsigned left = lanes;

        for (; rank; rank--)
            left &= left - 1;
        return simt_shfl(value, simt_first_lane(left), 32);
    }
};
static inline unsigned lanes_of(const coalesced_group &group) { return group.lanes; }
SIMT_TOGETHER coalesced_group coalesced_threads() { return {__activemask()}; }
/* Of a part of a warp, or of what of it comes here, those with the same label. */
template <class Group, class Label> SIMT_TOGETHER coalesced_group labeled_partition(const Group &group, Label label)
{
    return {__match_any_sync(lanes_of(group), label)};
}
template <class Group> SIMT_TOGETHER coalesced_group binary_partition(const Group &group, bool label)
{
    unsigned with = __ballot_sync(lanes_of(group), label);

    return {label ? with : lanes_of(group) & ~with};
}

template <class T> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned threads, class T, class Operation>
SIMT_TOGETHER T reduce(const thread_block_tile<threads> &tile, T value, Operation operation)
{
    for (unsigned bit = threads / 2; bit; bit /= 2)
        value = operation(value, tile.shfl_xor(value, bit));
    return value;
}
template <class T, class Operation>
SIMT_TOGETHER T reduce(const coalesced_group &group, T value, Operation operation)
{
    return simt_reduce(group.lanes, value, operation);
}
template <unsigned threads, class T, class Operation>
SIMT_TOGETHER T inclusive_scan(const thread_block_tile<threads> &tile, T value, Operation operation)
{
    for (unsigned by = 1; by < threads; by *= 2) {
        T before = tile.shfl_up(value, by);

        value = tile.thread_rank() < by ? value : operation(before, value);
    }
    return value;
}
template <unsigned threads, class T> SIMT_TOGETHER T inclusive_scan(const thread_block_tile<threads> &tile, T value)
{
    return inclusive_scan(tile, value, plus<T>());
}
template <unsigned threads, class T, class Operation>
SIMT_TOGETHER T exclusive_scan(const thread_block_tile<threads> &tile, T value, Operation operation)
{
    T before = tile.shfl_up(inclusive_scan(tile, value, operation), 1);

    return tile.thread_rank() ? before : T();
}
template <unsigned threads, class T> SIMT_TOGETHER T exclusive_scan(const thread_block_tile<threads> &tile, T value)
{
    return exclusive_scan(tile, value, plus<T>());
}

} /* namespace cooperative_groups */

#endif
