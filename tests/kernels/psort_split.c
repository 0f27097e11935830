/* The rank sort of psort.c with its comparisons as nested divergent branches: the cost of SPLIT and JOIN. */
#include "simt.h"

extern const uint32_t keys[N];
SIMT_OUTPUT uint32_t sorted[N];

SIMT_FUNCTION static void rank(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t key = keys[i], before = 0;

#pragma GCC unroll 1 /* two keys would be two copies of each SPLIT */
    for (uint32_t j = 0; j < N; j++) {
        uint32_t other = keys[j];
        SIMT_IF_ELSE (other < key) {
            before++;
        } SIMT_ELSE {
            SIMT_IF ((other == key) & (j < i)) {
                before++;
            } SIMT_END
        } SIMT_END
    }
    sorted[before] = key;
}

int main(void)
{
    simt_spawn(N, rank, 0);
    return 0;
}
