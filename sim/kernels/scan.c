/* Inclusive prefix sum of N words, tile by tile: doubling steps in local memory between two buffers. */
#include "simt.h"

extern const uint32_t values[N];
SIMT_OUTPUT uint32_t sums[N];

static void scan(void *unused)
{
    (void)unused;
    uint32_t thread = simt_thread(), width = simt_width(), warps = simt_warps();
    uint32_t *from = simt_local_memory(), *to = from + width;
    uint32_t carry = 0;

    for (uint32_t first = 0; first < N; first += width) {
        uint32_t i = first + thread;

        from[thread] = i < N ? values[i] : 0;
        for (uint32_t distance = 1; distance < width; distance *= 2) {
            simt_barrier(0, warps);
            to[thread] = from[thread] + (thread >= distance ? from[thread - distance] : 0);
            uint32_t *swap = from;
            from = to;
            to = swap;
        }
        simt_barrier(0, warps);
        if (i < N) {
            sums[i] = carry + from[thread];
        }
        carry += from[width - 1];
        /* Nobody may overwrite the tile before all have read its last element. */
        simt_barrier(0, warps);
    }
}

int main(void)
{
    simt_run(simt_warps(), scan, 0);
    return 0;
}
