/* Rank sort without divergence: each thread counts the keys that go before its own; equal keys keep their order. */
#include "simt.h"

extern const uint32_t keys[N];
SIMT_OUTPUT uint32_t sorted[N];

/* Whether key j goes before key i: smaller, or equal and to the left. Needs: key < 2^32 - 1. */
static inline uint32_t goes_before(uint32_t other, uint32_t j, uint32_t key, uint32_t i)
{
    return other < key + (j < i);
}

static void rank(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t key = keys[i], before = 0, j = 0;

    for (; j + 4 <= N; j += 4) { /* four loads in flight */
        uint32_t k0 = keys[j], k1 = keys[j + 1], k2 = keys[j + 2], k3 = keys[j + 3];
        before += goes_before(k0, j, key, i) + goes_before(k1, j + 1, key, i);
        before += goes_before(k2, j + 2, key, i) + goes_before(k3, j + 3, key, i);
    }
    for (; j < N; j++)
        before += goes_before(keys[j], j, key, i);
    sorted[before] = key;
}

int main(void)
{
    simt_spawn(N, rank, 0);
    return 0;
}
