/* The rank sort of psort.c as the plain loop, a key a turn: a taken branch every few instructions. */
#include "simt.h"

extern const uint32_t keys[N];
SIMT_OUTPUT uint32_t sorted[N];

static void rank(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t key = keys[i], before = 0;

#pragma GCC unroll 1
    for (uint32_t j = 0; j < N; j++) /* smaller, or equal and to the left; needs: key < 2^32 - 1 */
        before += keys[j] < key + (j < i);
    sorted[before] = key;
}

int main(void)
{
    simt_spawn(N, rank, 0);
    return 0;
}
