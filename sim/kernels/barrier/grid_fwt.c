/* Fast Walsh transform of SIZE words: chunks of two words a thread in local memory, a barrier a stage, then a grid for
 * each stage whose pairs lie further apart. */
#include "simt_grid.h"

/* N rounded up to a power of two, 2 at least. */
#define SIZE (N > 2 ? 1u << (32 - __builtin_clz((N - 1) | 1)) : 2u)
#define MOST_THREADS 512

extern const uint32_t values[SIZE];
SIMT_OUTPUT uint32_t result[SIZE];

static SIMT_SHARED uint32_t chunk[2 * MOST_THREADS];

/* The words `stride` apart that belong to a thread become their sum and difference. */
static inline void butterfly(uint32_t *data, uint32_t thread, uint32_t stride)
{
    uint32_t *low = data + 2 * thread - (thread & (stride - 1));
    uint32_t a = low[0], b = low[stride];

    low[0] = a + b;
    low[stride] = a - b;
}

SIMT_KERNEL(chunks)
{
    uint32_t threads = blockDim.x, thread = threadIdx.x, first = blockIdx.x * 2 * threads + thread;

    chunk[thread] = values[first];
    chunk[thread + threads] = values[first + threads];
    for (uint32_t stride = threads; stride > 0; stride /= 2) {
        simt_block_barrier();
        butterfly(chunk, thread, stride);
    }
    simt_block_barrier();
    result[first] = chunk[thread];
    result[first + threads] = chunk[thread + threads];
}

/* The argument is the distance of the pairs. */
SIMT_KERNEL(pairs)
{
    butterfly(result, blockIdx.x * blockDim.x + threadIdx.x, arg);
}
