/* c = a + b, one element a thread. */
#include "simt_grid.h"

extern const uint32_t a[N], b[N];
SIMT_OUTPUT uint32_t c[N];

SIMT_KERNEL(add)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        c[i] = a[i] + b[i];
    }
}
