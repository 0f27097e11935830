/* A Jacobi step of Laplace's equation in a cube of N x N x N whose border stays: a block goes through all planes with a
 * tile, the plane and its halo in local memory between two barriers. */
#include "simt_grid.h"

#define LARGEST 8

extern const float cube[N * N * N];
SIMT_OUTPUT float result[N * N * N];

static SIMT_SHARED float plane[(LARGEST + 2) * (LARGEST + 2)];

static inline float cell(uint32_t x, uint32_t y, uint32_t z)
{
    return x < N && y < N && z < N ? cube[(z * N + y) * N + x] : 0;
}

SIMT_KERNEL(relax)
{
    uint32_t side = blockDim.x, pitch = side + 2;
    uint32_t x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
    float *at = &plane[(threadIdx.y + 1) * pitch + threadIdx.x + 1];
    float below = 0, own = cell(x, y, 0);

    for (uint32_t z = 0; z < N; z++) {
        float above = cell(x, y, z + 1);
        at[0] = own;
        if (threadIdx.x == 0) {
            at[-1] = cell(x - 1, y, z);
            at[side] = cell(x + side, y, z);
        }
        if (threadIdx.y == 0) {
            at[-(int32_t)pitch] = cell(x, y - 1, z);
            at[side * pitch] = cell(x, y + side, z);
        }
        simt_block_barrier();
        float sum = at[-1] + at[1] + at[-(int32_t)pitch] + at[pitch] + below + above;
        uint32_t border = x == 0 || x == N - 1 || y == 0 || y == N - 1 || z == 0 || z == N - 1;
        if (x < N && y < N) {
            result[(z * N + y) * N + x] = border ? own : sum * (1.0f / 6);
        }
        below = own;
        own = above;
        simt_block_barrier();
    }
}
