/* A Jacobi step of Laplace's equation in PLANES planes of N x N cells whose border stays: a block goes up all planes with
 * a tile, the plane and its halo in local memory between two barriers. */
#include "simt_grid.h"

#define PLANES 16
#define MOST_CELLS (34 * 34)

extern const float cells[PLANES * N * N];
SIMT_OUTPUT float result[PLANES * N * N];

static SIMT_SHARED float tile[MOST_CELLS];

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

SIMT_KERNEL(relax)
{
    uint32_t across = threadIdx.x, along = threadIdx.y;
    uint32_t width = blockDim.x, height = blockDim.y, pitch = width + 2;
    uint32_t x = blockIdx.x * width + across, y = blockIdx.y * height + along;
    float *at = &tile[(along + 1) * pitch + across + 1];
    /* Beyond the border is the border, which nobody uses. */
    uint32_t row = smaller(y, N - 1) * N, column = smaller(x, N - 1), own_cell = row + column;
    uint32_t west = row + smaller(x - (x > 0), N - 1), east = row + smaller(x + width, N - 1);
    uint32_t north = smaller(y - (y > 0), N - 1) * N + column, south = smaller(y + height, N - 1) * N + column;
    uint32_t inside = x < N && y < N, inner = x > 0 && x + 1 < N && y > 0 && y + 1 < N;
    const float *plane = cells;
    float below = 0, own = plane[own_cell];

    for (uint32_t z = 0; z < PLANES; z++, plane += N * N) {
        uint32_t next = z + 1 < PLANES ? N * N : 0;
        float above = plane[next + own_cell];
        at[0] = own;
        if (across == 0) {
            at[-1] = plane[west];
            at[width] = plane[east];
        }
        if (along == 0) {
            at[-(int32_t)pitch] = plane[north];
            at[height * pitch] = plane[south];
        }
        simt_block_barrier();
        float sum = at[-1] + at[1] + at[-(int32_t)pitch] + at[pitch] + below + above;
        float relaxed = inner && z > 0 && z + 1 < PLANES ? sum * (1.0f / 6) : own;
        if (inside) {
            result[z * (N * N) + own_cell] = relaxed;
        }
        below = own;
        own = above;
        simt_block_barrier();
    }
}
