/* CUDA's functions between the lanes of a warp: votes, shuffles, and what is made of them. A core has them with --cross-lane.
 * Who is in a mask calls them together, as CUDA demands, so the mask only says which lanes a vote counts.
 */
#ifndef SIMT_CUDA_WARP_H
#define SIMT_CUDA_WARP_H

/* One copy in each place, as it is written. */
#define SIMT_TOGETHER static __forceinline__
#define SIMT_WHOLE_WARP 0xffffffffu

/* How many bits are 1, how many zeros stand before the first, and which is the lowest one. Without the compiler's functions,
 * for a call would have the thread use its stack. */
SIMT_TOGETHER int __popc(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return (int)(x * 0x01010101 >> 24);
}
SIMT_TOGETHER int __clz(int number)
{
    uint32_t x = (uint32_t)number;

    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32 - __popc(x);
}
SIMT_TOGETHER int __ffs(int x) { return x ? __popc((uint32_t)(x ^ (x - 1))) : 0; }
/* The lowest lane of a mask that has one. */
SIMT_TOGETHER int simt_first_lane(unsigned lanes) { return __popc(~lanes & (lanes - 1)); }

/* A warp's accesses act in the order of the program, and its lanes meet behind the branches where they part. */
SIMT_TOGETHER void __syncwarp(unsigned = SIMT_WHOLE_WARP) { __asm__ volatile("" ::: "memory"); }
SIMT_TOGETHER unsigned __activemask(void) { return simt_active_lanes(); }

/* A mask that is known to be the whole warp's saves an instruction. */
SIMT_TOGETHER bool simt_is_whole(unsigned mask) { return __builtin_constant_p(mask) && mask == SIMT_WHOLE_WARP; }
SIMT_TOGETHER unsigned __ballot_sync(unsigned mask, int condition) { return simt_vote_ballot(condition) & mask; }
SIMT_TOGETHER int __any_sync(unsigned mask, int condition)
{
    return simt_is_whole(mask) ? (int)simt_vote_any(condition) : __ballot_sync(mask, condition) != 0;
}
SIMT_TOGETHER int __all_sync(unsigned mask, int condition)
{
    return simt_is_whole(mask) ? (int)simt_vote_all(condition) : __ballot_sync(mask, !condition) == 0;
}
SIMT_TOGETHER unsigned __ballot(int condition) { return __ballot_sync(SIMT_WHOLE_WARP, condition); }
SIMT_TOGETHER int __any(int condition) { return __any_sync(SIMT_WHOLE_WARP, condition); }
SIMT_TOGETHER int __all(int condition) { return __all_sync(SIMT_WHOLE_WARP, condition); }

/* A shuffle of a value of any size, word by word. */
template <class T, class Shuffled> SIMT_TOGETHER T simt_by_words(T value, Shuffled shuffled)
{
    struct {
        uint32_t word[(sizeof(T) + 3) / 4];
    } words;

    if constexpr (sizeof(T) % 4 == 0) {
        words = __builtin_bit_cast(decltype(words), value);
        for (uint32_t &word : words.word)
            word = shuffled(word);
        return __builtin_bit_cast(T, words);
    } else if constexpr (sizeof(T) == 2) {
        return __builtin_bit_cast(T, (uint16_t)shuffled(__builtin_bit_cast(uint16_t, value)));
    } else {
        return (T)shuffled((uint32_t)value);
    }
}
/* Numbers, those of 16 bits, and pairs of these. */
template <class T> constexpr bool simt_is_shuffled = __is_class(T) ? sizeof(T) <= 4 : sizeof(T) <= 8;
#define SIMT_SHUFFLE(ending, function, type)                                    \
    template <class T> SIMT_TOGETHER T simt_shfl##ending(T value, type which, int width) \
    {                                                                           \
        return simt_by_words(value, [=](uint32_t word) __attribute__((always_inline)) { \
            return function(word, (uint32_t)which, (uint32_t)width);            \
        });                                                                     \
    }                                                                           \
    template <class T> SIMT_TOGETHER T __shfl##ending(T value, type which, int width = 32) \
    {                                                                           \
        static_assert(simt_is_shuffled<T>, "shuffles are of numbers: int, float, long long and their like"); \
        return simt_shfl##ending(value, which, width);                          \
    }                                                                           \
    template <class T> SIMT_TOGETHER T __shfl##ending##_sync(unsigned, T value, type which, int width = 32) \
    {                                                                           \
        return __shfl##ending(value, which, width);                             \
    }
SIMT_SHUFFLE(, simt_shuffle, int)
SIMT_SHUFFLE(_up, simt_shuffle_up, unsigned)
SIMT_SHUFFLE(_down, simt_shuffle_down, unsigned)
SIMT_SHUFFLE(_xor, simt_shuffle_xor, int)
#undef SIMT_SHUFFLE

/* The lanes of the mask with the same value. */
template <class T> SIMT_TOGETHER unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned left = __ballot_sync(mask, 1), same = 0;

    do {
        unsigned found = __ballot_sync(left, __shfl(value, simt_first_lane(left)) == value);

        same = found >> simt_lane() & 1 ? found : same;
        left &= ~found;
    } while (left);
    return same;
}
template <class T> SIMT_TOGETHER unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    unsigned lanes = __ballot_sync(mask, 1);

    *all = __ballot_sync(mask, __shfl(value, simt_first_lane(lanes)) != value) == 0;
    return *all ? lanes : 0;
}

/* What an operation makes of the values of the lanes. */
template <class T, class Operation> SIMT_TOGETHER T simt_reduce(unsigned lanes, T value, Operation operation)
{
    T result = __shfl(value, simt_first_lane(lanes));

    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
        result = operation(result, __shfl(value, simt_first_lane(lanes)));
    return result;
}
#define SIMT_REDUCE(name, result)                                               \
    template <class T> SIMT_TOGETHER T __reduce_##name##_sync(unsigned mask, T value) \
    {                                                                           \
        return simt_reduce(__ballot_sync(mask, 1), value, [](T a, T b) { return result; }); \
    }
SIMT_REDUCE(add, a + b)
SIMT_REDUCE(min, b < a ? b : a)
SIMT_REDUCE(max, a < b ? b : a)
SIMT_REDUCE(and, a & b)
SIMT_REDUCE(or, a | b)
SIMT_REDUCE(xor, a ^ b)
#undef SIMT_REDUCE

/* Threads of the block, and this one's number among them. */
static inline unsigned simt_block_threads(void) { return blockDim.x * blockDim.y * blockDim.z; }
static inline unsigned simt_thread_rank(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* A barrier at which the threads of a block vote: how many find that the condition holds, whether all do, or any. */
SIMT_TOGETHER int __syncthreads_count(int condition)
{
    __shared__ int ayes[64];
    unsigned threads = simt_block_threads(), lanes = simt_lanes();
    int sum = 0;

    ayes[simt_thread_rank() / lanes] = __popc(simt_vote_ballot(condition));
    __syncthreads();
    for (unsigned warp = 0; warp * lanes < threads; warp++)
        sum += ayes[warp];
    __syncthreads();
    return sum;
}
SIMT_TOGETHER int __syncthreads_and(int condition) { return __syncthreads_count(!condition) == 0; }
SIMT_TOGETHER int __syncthreads_or(int condition) { return __syncthreads_count(condition) != 0; }

#endif
