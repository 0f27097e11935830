/* Two rounds of a 7-point stencil on N x N x N cells, one cell a task; outside, the border cells repeat. */
#include "simt.h"

extern const float grid[N * N * N], factors[2]; /* factors of the centre and of each neighbour */
SIMT_OUTPUT float middle[N * N * N], result[N * N * N];

struct round {
    const float *from;
    float *to;
};

static void cell(uint32_t i, void *arg)
{
    const struct round *round = arg;
    const float *at = &round->from[i];
    uint32_t x = i % N, y = i / N % N, z = i / (N * N);
    /* Distances to the neighbours, 0 at a border. */
    uint32_t west = x > 0, east = x + 1 < N;
    uint32_t north = y > 0 ? N : 0, south = y + 1 < N ? N : 0;
    uint32_t below = z > 0 ? N * N : 0, above = z + 1 < N ? N * N : 0;
    float sum = ((at[-(int)west] + at[east]) + (at[-(int)north] + at[south])) + (at[-(int)below] + at[above]);

    round->to[i] = sum * factors[1] - at[0] * factors[0];
}

int main(void)
{
    struct round first = {grid, middle}, second = {middle, result};

    simt_spawn(N * N * N, cell, &first);
    simt_spawn(N * N * N, cell, &second);
    return 0;
}
