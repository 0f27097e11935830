/* Mean of a cell and its 26 neighbours in a cube whose border cells repeat outside, a cell a task, without a branch. */
#include "gpu.h"

extern const float grid[N * N * N];
RESULT float result[N * N * N];

struct problem {
    uint32_t n;
    const float *grid;
    float *result;
};

/* A step of -1, 0 or 1 that does not leave 0 to n - 1. */
static inline uint32_t near(uint32_t at, int step, uint32_t n)
{
    return at + ((step > 0) & (at + 1 < n)) - ((step < 0) & (at > 0));
}

static void average(void *arg)
{
    struct problem *p = arg;
    uint32_t n = p->n;
    float sum = 0;

    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                uint32_t x = near(block.x, dx, n), y = near(block.y, dy, n), z = near(block.z, dz, n);
                sum += p->grid[(z * n + y) * n + x];
            }
    p->result[(block.z * n + block.y) * n + block.x] = sum / 27.0f;
}

int main(void)
{
    struct problem problem = {N, grid, result};
    return launch((struct index){N, N, N}, (struct index){1, 1, 1}, average, &problem);
}
