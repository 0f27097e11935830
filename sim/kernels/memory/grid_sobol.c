/* N points of a Sobol sequence in Gray-code order, blocks of each dimension with its direction numbers in local memory. */
#include "simt_grid.h"

#define DIMENSIONS 24
#define BITS 32

extern const uint32_t directions[DIMENSIONS * BITS];
SIMT_OUTPUT uint32_t points[DIMENSIONS * N];

static SIMT_SHARED uint32_t own_directions[BITS];

SIMT_KERNEL(generate)
{
    uint32_t thread = threadIdx.x, threads = blockDim.x, dimension = blockIdx.y;

    for (uint32_t i = thread; i < BITS; i += threads)
        own_directions[i] = directions[dimension * BITS + i];
    simt_block_barrier();
    for (uint32_t first = blockIdx.x * threads; first < N; first += gridDim.x * threads) {
        uint32_t i = first + thread, gray = i ^ i >> 1, point = 0;
        for (uint32_t bit = 0; N >> bit != 0; bit++)
            point ^= own_directions[bit] & -(gray >> bit & 1);
        if (i < N) {
            points[dimension * N + i] = point;
        }
    }
}
