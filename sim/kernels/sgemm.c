/* C = A * B for N x N matrices, one element of C a task: a chain of fused multiply-adds. */
#include "simt.h"

extern const float a[N * N], b[N * N];
SIMT_OUTPUT float c[N * N];

static void element(uint32_t i, void *unused)
{
    (void)unused;
    const float *x = &a[i / N * N], *y = &b[i % N];
    float sum = 0;
    uint32_t k = 0;

    for (; k + 4 <= N; k += 4, x += 4, y += 4 * N) { /* four rounds at a time: eight loads in flight */
        float x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
        float y0 = y[0], y1 = y[N], y2 = y[2 * N], y3 = y[3 * N];
        sum = simt_fma(x0, y0, sum);
        sum = simt_fma(x1, y1, sum);
        sum = simt_fma(x2, y2, sum);
        sum = simt_fma(x3, y3, sum);
    }
    for (; k < N; k++, x++, y += N)
        sum = simt_fma(*x, *y, sum);
    c[i] = sum;
}

int main(void)
{
    simt_spawn(N * N, element, 0);
    return 0;
}
