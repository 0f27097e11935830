/* Numbers of a Niederreiter sequence in DIMENSIONS dimensions between 0 and 1, and, by a second grid, the normal deviates
 * that belong to them (the inverse of the normal distribution after Moro). */
#include "simt_grid.h"
#include "simt_math.h"

#define DIMENSIONS 3
#define BITS 31

/* coefficients: four and four of the fraction for the middle, nine of the polynomial for the tails */
extern const uint32_t table[DIMENSIONS * BITS];
extern const float coefficients[17];
SIMT_OUTPUT float numbers[DIMENSIONS * N], deviates[DIMENSIONS * N];

SIMT_KERNEL(generate)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, dimension = blockIdx.y, sum = 0;
    const uint32_t *own = &table[dimension * BITS];

    if (i < N) {
        for (uint32_t bit = 0; N >> bit != 0; bit++)
            sum ^= own[bit] & -((i + 1) >> bit & 1);
        numbers[dimension * N + i] = (float)((sum >> 8) + 1) * (1.0f / 8388610);
    }
}

SIMT_KERNEL(invert)
{
    uint32_t i = blockIdx.y * N + blockIdx.x * blockDim.x + threadIdx.x;

    if (i - blockIdx.y * N < N) {
        float centred = numbers[i] - 0.5f, size = simt_abs(centred);
        if (size < 0.42f) {
            const float *a = coefficients, *b = a + 4;
            float z = centred * centred;
            float above = simt_fma(simt_fma(simt_fma(a[3], z, a[2]), z, a[1]), z, a[0]);
            float below = simt_fma(simt_fma(simt_fma(simt_fma(b[3], z, b[2]), z, b[1]), z, b[0]), z, 1.0f);
            deviates[i] = centred * above / below;
        } else {
            float z = simt_log(-simt_log(0.5f - size)), value = 0;
#pragma GCC unroll 1
            for (uint32_t c = 17; c > 8; c--)
                value = simt_fma(value, z, coefficients[c - 1]);
            deviates[i] = centred < 0 ? -value : value;
        }
    }
}
