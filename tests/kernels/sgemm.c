/* C = A * B for N x N matrices of 32-bit integers, one element of C a task. */
#include "simt.h"

extern const uint32_t a[N * N], b[N * N];
SIMT_OUTPUT uint32_t c[N * N];

static void element(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t row = i / N, column = i % N, sum = 0;

    for (uint32_t k = 0; k < N; k++)
        sum += a[row * N + k] * b[k * N + column];
    c[i] = sum;
}

int main(void)
{
    simt_spawn(N * N, element, 0);
    return 0;
}
