/* C = A * B for N x N matrices, tile by tile: all threads of the core fetch a tile of A and one of B into
 * local memory, wait for each other, and add the product of the two to the tile of C, also kept there. */
#include "simt.h"

#define TILE 8
#define CELLS (TILE * TILE)

extern const float a[N * N], b[N * N];
SIMT_OUTPUT float c[N * N];

/* Element (row, column) of an N x N matrix, 0 outside of it. */
static inline float element(const float *matrix, uint32_t row, uint32_t column)
{
    uint32_t inside = (row < N) & (column < N);
    return simt_select_float(inside, matrix[simt_select(inside, row * N + column, 0)], 0);
}

SIMT_FUNCTION static void multiply(void *unused)
{
    (void)unused;
    float *left = simt_local_memory(), *right = left + CELLS, *sums = right + CELLS;
    uint32_t thread = simt_thread(), width = simt_width(), warps = simt_warps();

    for (uint32_t row = 0; row < N; row += TILE)
        for (uint32_t column = 0; column < N; column += TILE) {
            /* Each thread keeps its own cells of the tile of C; threads beyond the tile repeat others' work. */
            for (uint32_t first = 0; first < CELLS; first += width)
                sums[(first + thread) % CELLS] = 0;
            for (uint32_t k = 0; k < N; k += TILE) {
                for (uint32_t first = 0; first < CELLS; first += width) {
                    uint32_t cell = (first + thread) % CELLS, y = cell / TILE, x = cell % TILE;
                    left[cell] = element(a, row + y, k + x);
                    right[cell] = element(b, k + y, column + x);
                }
                simt_barrier(0, warps);
                for (uint32_t first = 0; first < CELLS; first += width) {
                    uint32_t cell = first + thread, y = cell / TILE, x = cell % TILE;
                    SIMT_IF (cell < CELLS) {
                        float sum = sums[cell];
                        for (uint32_t i = 0; i < TILE; i++)
                            sum = simt_fma(left[y * TILE + i], right[i * TILE + x], sum);
                        sums[cell] = sum;
                    } SIMT_END
                }
                simt_barrier(0, warps);
            }
            for (uint32_t first = 0; first < CELLS; first += width) {
                uint32_t cell = first + thread, y = row + cell / TILE, x = column + cell % TILE;
                SIMT_IF ((cell < CELLS) & (y < N) & (x < N)) {
                    c[y * N + x] = sums[cell];
                } SIMT_END
            }
            /* The next tile's zeros must not overtake a slow thread's results. */
            simt_barrier(0, warps);
        }
}

int main(void)
{
    simt_run(simt_warps(), multiply, 0);
    return 0;
}
