/* Product of a sparse N x N matrix (compressed rows) and a vector, one row a task: rows differ in length. */
#include "simt.h"

extern const uint32_t row_start[N + 1], columns[];
extern const float values[], x[N];
SIMT_OUTPUT float result[N];

static void row(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t at = row_start[i], end = row_start[i + 1];
    float sum = 0;

    while (at < end) {
        sum = simt_fma(values[at], x[columns[at]], sum);
        at++;
    }
    result[i] = sum;
}

int main(void)
{
    simt_spawn(N, row, 0);
    return 0;
}
