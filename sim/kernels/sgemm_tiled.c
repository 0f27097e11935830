/* C = A * B for N x N matrices in tiles: as many threads as a tile has cells fetch a tile of A and one of B into local
 * memory, wait for each other, and each adds to its own cell of C. Several tiles of C are worked on at a time. */
#include "simt.h"

extern const float a[N * N], b[N * N];
SIMT_OUTPUT float c[N * N];

/* Element (row, column) of an N x N matrix; 0 outside of it, which only exists if the tiles do not divide N. */
static inline float element(const float *matrix, uint32_t row, uint32_t column, uint32_t tile)
{
    return N % tile == 0 || (row < N && column < N) ? matrix[row * N + column] : 0;
}

static inline __attribute__((always_inline)) void multiply(uint32_t tile)
{
    uint32_t cells = tile * tile, width = simt_width(), thread = simt_thread(), lanes = simt_lanes();
    uint32_t across = (N + tile - 1) / tile, slots = width / cells, slot = thread / cells;
    uint32_t y = thread % cells / tile, x = thread % tile;
    uint32_t warps = lanes < cells ? cells / lanes : 1; /* that share a tile */
    float *left = simt_local_memory(), *right = left + width;
    float *row_of_left = left + slot * cells + y * tile, *column_of_right = right + slot * cells + x;

    if (simt_uniform(slot >= slots)) /* warps that are too few for a tile */
        return;
    for (uint32_t first = 0; simt_uniform(first < across * across); first += slots) {
        uint32_t row = (first + slot) / across * tile + y, column = (first + slot) % across * tile + x;
        /* A slot without a tile repeats the first one. */
        uint32_t read_row = row < across * tile ? row : y;
        float sum = 0;

        for (uint32_t k = 0; k < N; k += tile) {
            left[thread] = element(a, read_row, k + x, tile);
            right[thread] = element(b, k + y, column, tile);
            if (warps > 1)
                simt_barrier(slot, warps);
            for (uint32_t i = 0; i < tile; i++)
                sum = simt_fma(row_of_left[i], column_of_right[i * tile], sum);
            /* The next tile must not overtake a slow thread. */
            if (warps > 1)
                simt_barrier(slot, warps);
        }
        if (row < N && column < N)
            c[row * N + column] = sum;
    }
}

static void by_4(void *unused) { (void)unused; multiply(4); }
static void by_2(void *unused) { (void)unused; multiply(2); }
static void by_1(void *unused) { (void)unused; multiply(1); }

/* The largest tiles for which there are threads. */
int main(void)
{
    uint32_t width = simt_width();

    simt_run(simt_warps(), width >= 16 ? by_4 : width >= 4 ? by_2 : by_1, 0);
    return 0;
}
