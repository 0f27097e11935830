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
    return at < 0 ? 0 : at < N ? at : N - 1;
}

/* Brings a tile around the cell (x, y) and its halo into local memory, whose own cell is `own`. No function: its caller
 * would keep what it needs on the stack, a line for each thread. */
#define FETCH(from, own, pitch, x, y)                                           \
    {                                                                           \
        int32_t side = pitch - 2;                                               \
        uint32_t row = clamp(y) * N, column = clamp(x);                         \
        own[0] = from[row + column];                                            \
        if (threadIdx.x == 0) {                                            \
            own[-1] = from[row + clamp(x - 1)];                                 \
            own[side] = from[row + clamp(x + side)];                            \
        }                                                              \
        if (threadIdx.y == 0) {                                            \
            own[-pitch] = from[clamp(y - 1) * N + column];                      \
            own[side * pitch] = from[clamp(y + side) * N + column];             \
        }                                                              \
        simt_block_barrier();                                                   \
    }

SIMT_KERNEL(weigh)
{
    int32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int32_t pitch = blockDim.x + 2;
    float *at = &tile[((int32_t)threadIdx.y + 1) * pitch + (int32_t)threadIdx.x + 1];
    FETCH(image, at, pitch, x, y)
    float own = at[0], north = at[-pitch] - own, south = at[pitch] - own, west = at[-1] - own, east = at[1] - own;
    float square = (north * north + south * south + west * west + east * east) / (own * own);
    float laplacian = (north + south + west + east) / own;
    float divisor = 1.0f + 0.25f * laplacian;
    float variation = (0.5f * square - 0.0625f * (laplacian * laplacian)) / (divisor * divisor);
    float noise = constants[0];
    float excess = (variation - noise) / (noise * (1.0f + noise));
    float weight = simt_max(simt_min(1.0f / (1.0f + excess), 1.0f), 0.0f);

    if (x < N && y < N) {
        coefficients[y * N + x] = weight;
    }
}

SIMT_KERNEL(diffuse)
{
    int32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int32_t pitch = blockDim.x + 2;
    float *at = &tile[((int32_t)threadIdx.y + 1) * pitch + (int32_t)threadIdx.x + 1];
    FETCH(image, at, pitch, x, y)
    float own = at[0], north = at[-pitch] - own, south = at[pitch] - own, west = at[-1] - own, east = at[1] - own;

    simt_block_barrier();
    FETCH(coefficients, at, pitch, x, y)
    float flow = at[0] * north + at[pitch] * south + at[0] * west + at[1] * east;
    if (x < N && y < N) {
        result[y * N + x] = own + constants[1] * flow;
    }
}
