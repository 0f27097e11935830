/* Rank sort without divergence: each thread counts the keys that go before its own; equal keys keep their order. */
#include "simt.h"

extern const uint32_t keys[N];
SIMT_OUTPUT uint32_t sorted[N];

static void rank(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t key = keys[i], before = 0;

    for (uint32_t j = 0; j < N; j++)
        before += (keys[j] < key) | ((keys[j] == key) & (j < i));
    sorted[before] = key;
}

int main(void)
{
    simt_spawn(N, rank, 0);
    return 0;
}
