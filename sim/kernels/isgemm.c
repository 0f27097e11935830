/* C = A * B for N x N matrices of 32-bit integers, one element of C a task. */
#include "simt.h"

extern const uint32_t a[N * N], b[N * N];
SIMT_OUTPUT uint32_t c[N * N];

static void element(uint32_t i, void *unused)
{
    (void)unused;
    const uint32_t *x = &a[i / N * N], *y = &b[i % N];
    uint32_t sum = 0, k = 0;

    for (; k + 4 <= N; k += 4, x += 4, y += 4 * N) { /* four rounds at a time: eight loads in flight */
        uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
        uint32_t y0 = y[0], y1 = y[N], y2 = y[2 * N], y3 = y[3 * N];
        sum += x0 * y0 + x1 * y1 + (x2 * y2 + x3 * y3);
    }
    for (; k < N; k++, x++, y += N)
        sum += *x * *y;
    c[i] = sum;
}

int main(void)
{
    simt_spawn(N * N, element, 0);
    return 0;
}
