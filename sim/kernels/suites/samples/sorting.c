/* What NVIDIA's samples that sort pairs of keys and values compute, and the steps of their networks. */
#include <stdint.h>
#include <stdlib.h>

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Of the same keys that with the smaller value comes first. */
void sort_pairs(unsigned *sorted, unsigned *moved, const unsigned *keys, const unsigned *values, int length)
{
    uint64_t *pairs = (uint64_t *)malloc(length * sizeof *pairs);

    for (int i = 0; i < length; i++)
        pairs[i] = (uint64_t)keys[i] << 32 | values[i];
    qsort(pairs, length, sizeof *pairs, by_key);
    for (int i = 0; i < length; i++) {
        sorted[i] = (unsigned)(pairs[i] >> 32);
        moved[i] = (unsigned)pairs[i];
    }
    free(pairs);
}

struct merge {
    unsigned size, distance;
};

/* A network takes n steps to merge 2^n keys, then one more for twice as many: how many are merged in a step, and how far apart
 * those are that are compared. */
struct merge merge_step(int step, int log)
{
    while (step >= log)
        step -= log++;
    return (struct merge){1u << log, 1u << (log - 1 - step)};
}
