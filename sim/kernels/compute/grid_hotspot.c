/* Temperature of an N x N chip that its parts heat, a grid a step; no heat leaves at the sides. A block has a tile and
 * its halo in local memory. */
#include "simt_grid.h"

#define LARGEST 8

/* constants: step over capacity, conductance along y, along x and to the ambient, ambient temperature */
extern const float temperature[N * N], power[N * N], constants[5];
SIMT_OUTPUT float other[N * N], result[N * N];

static SIMT_SHARED float tile[(LARGEST + 2) * (LARGEST + 2)];

/* The number of a cell that may lie one step outside, where the border repeats. */
static inline uint32_t clamp(int32_t at)
{
    return at < 0 ? 0 : at < N ? at : N - 1;
}

static inline __attribute__((always_inline)) void step(const float *from, float *to)
{
    int32_t side = blockDim.x, pitch = side + 2;
    int32_t x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
    float *at = &tile[(threadIdx.y + 1) * pitch + threadIdx.x + 1];
    uint32_t row = clamp(y) * N, column = clamp(x), place = row + column;
    float own = from[place];

    at[0] = own;
    if (threadIdx.x == 0) {
        at[-1] = from[row + clamp(x - 1)];
        at[side] = from[row + clamp(x + side)];
    }
    if (threadIdx.y == 0) {
        at[-pitch] = from[clamp(y - 1) * N + column];
        at[side * pitch] = from[clamp(y + side) * N + column];
    }
    simt_block_barrier();
    float vertical = at[-pitch] + at[pitch] - 2.0f * own;
    float horizontal = at[-1] + at[1] - 2.0f * own;
    float flow = power[place] + vertical * constants[1] + horizontal * constants[2] +
                 (constants[4] - own) * constants[3];
    if (x < N && y < N) {
        to[place] = own + constants[0] * flow;
    }
}

SIMT_KERNEL(first)
{
    step(temperature, other);
}

SIMT_KERNEL(second)
{
    step(other, result);
}
