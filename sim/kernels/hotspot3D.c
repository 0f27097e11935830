/* Temperature of four stacked N x N chips: two steps, one cell a task; outside, the border cells repeat. */
#include "simt.h"

#define LAYERS 4
#define CELLS (N * N * LAYERS)

/* weights: of the cell, west and east, north and south, below and above, of its power; then what is added */
extern const float temperature[CELLS], power[CELLS], weights[6];
SIMT_OUTPUT float middle[CELLS], result[CELLS];

struct step {
    const float *from;
    float *to;
};

static void cell(uint32_t i, void *arg)
{
    const struct step *step = arg;
    const float *at = &step->from[i];
    uint32_t x = i % N, y = i / N % N, z = i / (N * N);
    uint32_t west = x > 0, east = x + 1 < N;
    uint32_t north = y > 0 ? N : 0, south = y + 1 < N ? N : 0;
    uint32_t below = z > 0 ? N * N : 0, above = z < LAYERS - 1 ? N * N : 0;
    float sum = simt_fma(power[i], weights[4], weights[5]);

    sum = simt_fma(at[0], weights[0], sum);
    sum = simt_fma(at[-(int)west], weights[1], sum);
    sum = simt_fma(at[east], weights[1], sum);
    sum = simt_fma(at[-(int)north], weights[2], sum);
    sum = simt_fma(at[south], weights[2], sum);
    sum = simt_fma(at[-(int)below], weights[3], sum);
    step->to[i] = simt_fma(at[above], weights[3], sum);
}

int main(void)
{
    struct step first = {temperature, middle}, second = {middle, result};

    simt_spawn(CELLS, cell, &first);
    simt_spawn(CELLS, cell, &second);
    return 0;
}
