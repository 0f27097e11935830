/* A step of speckle-reducing anisotropic diffusion on an N x N image that goes on at its borders: a grid for the
 * coefficients of diffusion, one for the diffusion. Tiles with their halo are in local memory. */
#include "simt_grid.h"

#define LARGEST 8

/* constants: speckle scale, half of which is noise; step */
extern const float image[N * N], constants[2];
SIMT_OUTPUT float coefficients[N * N], result[N * N];

static SIMT_SHARED float tile[(LARGEST + 2) * (LARGEST + 2)];

static inline uint32_t clamp(int32_t at)
{
    uint32_t positive = simt_select(at < 0, 0, (uint32_t)at);

    return simt_select(positive < N, positive, N - 1);
}

/* Brings a tile and its halo into local memory; the place of the thread's own cell in it. */
SIMT_FUNCTION static float *fetch(const float *from, int32_t x, int32_t y)
{
    uint32_t side = blockDim.x, pitch = side + 2;
    float *own = &tile[(threadIdx.y + 1) * pitch + threadIdx.x + 1];
    uint32_t row = clamp(y) * N, column = clamp(x);

    own[0] = from[row + column];
    SIMT_IF (threadIdx.x == 0) {
        own[-1] = from[row + clamp(x - 1)];
        own[side] = from[row + clamp(x + (int32_t)side)];
    } SIMT_END
    SIMT_IF (threadIdx.y == 0) {
        own[-(int32_t)pitch] = from[clamp(y - 1) * N + column];
        own[side * pitch] = from[clamp(y + (int32_t)side) * N + column];
    } SIMT_END
    simt_block_barrier();
    return own;
}

SIMT_KERNEL(weigh)
{
    int32_t pitch = blockDim.x + 2;
    uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float *at = fetch(image, x, y);
    float own = at[0], north = at[-pitch] - own, south = at[pitch] - own, west = at[-1] - own, east = at[1] - own;
    float square = (north * north + south * south + west * west + east * east) / (own * own);
    float laplacian = (north + south + west + east) / own;
    float divisor = 1.0f + 0.25f * laplacian;
    float variation = (0.5f * square - 0.0625f * (laplacian * laplacian)) / (divisor * divisor);
    float noise = constants[0];
    float excess = (variation - noise) / (noise * (1.0f + noise));
    float weight = simt_max(simt_min(1.0f / (1.0f + excess), 1.0f), 0.0f);

    SIMT_IF ((x < N) & (y < N)) {
        coefficients[y * N + x] = weight;
    } SIMT_END
}

SIMT_KERNEL(diffuse)
{
    int32_t pitch = blockDim.x + 2;
    uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float *at = fetch(image, x, y);
    float own = at[0], north = at[-pitch] - own, south = at[pitch] - own, west = at[-1] - own, east = at[1] - own;

    simt_block_barrier();
    at = fetch(coefficients, x, y);
    float flow = at[0] * north + at[pitch] * south + at[0] * west + at[1] * east;
    SIMT_IF ((x < N) & (y < N)) {
        result[y * N + x] = own + constants[1] * flow;
    } SIMT_END
}
