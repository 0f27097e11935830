/* Product of a sparse N x N matrix and a vector, a row a thread, in jagged diagonals: the rows are sorted by their length,
 * the longest first, and entry k of all rows that have one stands side by side from starts[k] on. */
#include "simt_grid.h"

extern const uint32_t starts[], lengths[N], rows[N], columns[];
extern const float values[], x[N];
SIMT_OUTPUT float result[N];

SIMT_KERNEL(multiply)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        uint32_t length = lengths[i], k = 0;
        float sum = 0;
        while (k < length) {
            uint32_t at = starts[k++] + i;
            sum = simt_fma(values[at], x[columns[at]], sum);
        }
        result[rows[i]] = sum;
    }
}
