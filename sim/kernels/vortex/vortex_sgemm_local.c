/* Product of two matrices by tiles in local memory, an element a thread. The sides of the matrices are N or
 * the next multiple of four, so that tiles are whole. */
#include "gpu.h"

#define SIDE ((N + 3) / 4 * 4)

extern const float a[SIDE * SIDE], b[SIDE * SIDE];
RESULT float c[SIDE * SIDE];

struct problem {
    uint32_t n, tile;
    const float *a, *b;
    float *c;
};

static void multiply(void *arg)
{
    struct problem *p = arg;
    uint32_t n = p->n, tile = p->tile, cells = tile * tile;
    float *tile_a = group_memory(2 * cells * sizeof(float)), *tile_b = tile_a + cells;
    uint32_t row = block.y * tile + thread.y, column = block.x * tile + thread.x;
    uint32_t here = thread.y * tile + thread.x;
    float sum = 0;

    for (uint32_t k = 0; k < n; k += tile) {
        tile_a[here] = p->a[row * n + k + thread.x];
        tile_b[here] = p->b[(k + thread.y) * n + column];
        group_barrier();
        for (uint32_t i = 0; i < tile; i++)
            sum = __builtin_fmaf(tile_a[thread.y * tile + i], tile_b[i * tile + thread.x], sum);
        group_barrier();
    }
    p->c[row * n + column] = sum;
}

/* What remains on a core that has no room for a tile: a thread is no group. */
static void multiply_alone(void *arg)
{
    struct problem *p = arg;
    float sum = 0;

    for (uint32_t k = 0; k < p->n; k++)
        sum = __builtin_fmaf(p->a[block.y * p->n + k], p->b[k * p->n + block.x], sum);
    p->c[block.y * p->n + block.x] = sum;
}

int main(void)
{
    uint32_t threads = READ(WARPS) * READ(LANES), tile = threads >= 16 ? 4 : threads >= 4 ? 2 : 1;
    struct problem problem = {SIDE, tile, a, b, c};
    return launch((struct index){SIDE / tile, SIDE / tile, 1}, (struct index){tile, tile, 1},
                  tile > 1 ? multiply : multiply_alone, &problem);
}
