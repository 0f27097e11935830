/* y = a * x + y, one element a task. */
#include "simt.h"

extern const float scale[1], x[N], y[N];
SIMT_OUTPUT float result[N];

static void element(uint32_t i, void *unused)
{
    (void)unused;
    result[i] = simt_fma(scale[0], x[i], y[i]);
}

int main(void)
{
    simt_spawn(N, element, 0);
    return 0;
}
