/* c = a + b, one element a task. */
#include "simt.h"

extern const uint32_t a[N], b[N];
SIMT_OUTPUT uint32_t c[N];

static void add(uint32_t i, void *unused)
{
    (void)unused;
    c[i] = a[i] + b[i];
}

int main(void)
{
    simt_spawn(N, add, 0);
    return 0;
}
