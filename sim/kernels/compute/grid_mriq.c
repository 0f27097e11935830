/* The matrix Q of a magnetic-resonance image: at each of N places the sum of SAMPLES waves, their energies by a grid of
 * their own. */
#include "simt_grid.h"
#include "simt_math.h"

#define SAMPLES 3072

/* Of each sample the real and imaginary part; the places where samples and image are, x, y and z. */
extern const float phi[2 * SAMPLES], k[3 * SAMPLES], places[3 * N];
SIMT_OUTPUT float energies[SAMPLES], real[N], imaginary[N];

SIMT_KERNEL(measure)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < SAMPLES) {
        energies[i] = phi[2 * i] * phi[2 * i] + phi[2 * i + 1] * phi[2 * i + 1];
    }
}

SIMT_KERNEL(image)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float x = places[i], y = places[N + i], z = places[2 * N + i], sum = 0, sum_of_sines = 0;
#pragma GCC unroll 1
        for (uint32_t s = 0; s < SAMPLES; s++) {
            float turns = k[3 * s] * x + k[3 * s + 1] * y + k[3 * s + 2] * z;
            sum = simt_fma(energies[s], simt_cos_of_turns(turns), sum);
            sum_of_sines = simt_fma(energies[s], simt_cos_of_turns(turns - 0.25f), sum_of_sines);
        }
        real[i] = sum;
        imaginary[i] = sum_of_sines;
    }
}
