/* Tasks, and groups that share local memory: a sum of vectors, then a product of matrices by tiles. */
#include "gpu.h"

#define N 8

struct problem {
    int32_t *a, *b, *c;
    uint32_t tile;
};

int32_t a[N * N], b[N * N], c[N * N];

static void add(void *arg)
{
    struct problem *p = arg;
    uint32_t i = block.x + grid_size.x * (block.y + grid_size.y * block.z);
    p->c[i] = p->a[i] + p->b[i];
}

static void multiply(void *arg)
{
    struct problem *p = arg;
    uint32_t tile = p->tile;
    int32_t *tile_a = group_memory(2 * tile * tile * sizeof(int32_t)), *tile_b = tile_a + tile * tile;
    uint32_t row = block.y * tile + thread.y, column = block.x * tile + thread.x;
    uint32_t here = thread.y * tile + thread.x;
    int32_t sum = 0;

    for (uint32_t k = 0; k < N; k += tile) {
        tile_a[here] = p->a[row * N + k + thread.x];
        tile_b[here] = p->b[(k + thread.y) * N + column];
        group_barrier();
        for (uint32_t i = 0; i < tile; i++)
            sum += tile_a[thread.y * tile + i] * tile_b[i * tile + thread.x];
        group_barrier();
    }
    p->c[row * N + column] = sum;
}

/* Blocks whose last warp is not full. */
static void mark(void *arg)
{
    int32_t *marks = arg;
    marks[block.x * 3 + thread.x] += 1 + thread.x;
}

int main(void)
{
    /* A group of 16 needs as many threads on the core. */
    uint32_t tile = READ(WARPS) * READ(LANES) < 16 ? 2 : 4;
    struct problem problem = {a, b, c, tile};
    uint32_t errors = 0;

    for (int i = 0; i < N * N; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 1;
    }
    errors += launch((struct index){N, N / 2, 2}, (struct index){1, 1, 1}, add, &problem) != 0;
    for (int i = 0; i < N * N; i++)
        errors += c[i] != a[i] + b[i];
    errors += launch((struct index){N / tile, N / tile, 1}, (struct index){tile, tile, 1}, multiply, &problem) != 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            errors += c[i * N + j] != sum;
        }
    }
    for (int i = 0; i < N * N; i++)
        c[i] = 0;
    errors += launch((struct index){9, 1, 1}, (struct index){3, 1, 1}, mark, c) != 0;
    for (int i = 0; i < 27; i++)
        errors += c[i] != 1 + i % 3;
    errors += launch((struct index){1, 1, 1}, (struct index){1 << 12, 1, 1}, mark, c) != -1;
    print("errors ", errors);
    return errors;
}
