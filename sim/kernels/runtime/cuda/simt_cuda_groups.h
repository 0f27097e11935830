/* CUDA's cooperative groups: the thread block, and what of the grid needs no waiting. Parts of a warp are no groups here,
 * for they live by votes and shuffles. */
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
    static unsigned thread_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned size() { return num_threads(); }
};
/* Of what CUDA calls so there is nothing else. */
using thread_group = thread_block;

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

template <unsigned, class = void> struct thread_block_tile {
    SIMT_ABSENT_MEMBER(sync, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(thread_rank, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(meta_group_rank, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(meta_group_size, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(num_threads, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(size, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(any, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(all, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(ballot, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(shfl, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(shfl_up, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(shfl_down, SIMT_NO_VOTES)
    SIMT_ABSENT_MEMBER(shfl_xor, SIMT_NO_VOTES)
};
using coalesced_group = thread_block_tile<0>;
template <unsigned size, class Group>
__attribute__((error(SIMT_NO_VOTES))) thread_block_tile<size> tiled_partition(const Group &);
__attribute__((error(SIMT_NO_VOTES))) coalesced_group coalesced_threads();
template <class> struct plus {};
template <class> struct less {};
template <class> struct greater {};
SIMT_ABSENT(reduce, SIMT_NO_VOTES)

} /* namespace cooperative_groups */

#endif
