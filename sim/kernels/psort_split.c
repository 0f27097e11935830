/* The rank sort of psort.c with its comparisons as nested divergent branches: the cost of SPLIT and JOIN. */
#include "simt.h"

extern const uint32_t keys[N];
SIMT_OUTPUT uint32_t sorted[N];

SIMT_FUNCTION static void rank(uint32_t i, void *unused)
{
    (void)unused;
    const uint32_t *own = &keys[i];
    uint32_t key = *own, before = 0;

#pragma GCC unroll 1 /* two keys would be two copies of each SPLIT */
    for (const uint32_t *at = keys; at != keys + N; at++) {
        uint32_t other = *at;
        SIMT_IF_ELSE (other < key) {
            before++;
        } SIMT_ELSE {
            SIMT_IF ((other ^ key) < (at < own)) { /* equal and to the left: 0 < 1 */
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
