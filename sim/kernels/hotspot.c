/* Temperature of an N x N chip that its parts heat: four steps, one cell a task; no heat leaves at the sides. */
#include "simt.h"

/* constants: step over capacity, conductance along y, along x and to the ambient, ambient temperature */
extern const float temperature[N * N], power[N * N], constants[5];
SIMT_OUTPUT float other[N * N], result[N * N];

struct step {
    const float *from;
    float *to;
};

static void cell(uint32_t i, void *arg)
{
    const struct step *step = arg;
    const float *at = &step->from[i];
    uint32_t x = i % N, y = i / N;
    uint32_t west = x > 0, east = x + 1 < N;
    uint32_t north = y > 0 ? N : 0, south = y + 1 < N ? N : 0;
    float own = at[0];
    float vertical = at[-(int)north] + at[south] - 2.0f * own;
    float horizontal = at[-(int)west] + at[east] - 2.0f * own;
    float flow = power[i] + vertical * constants[1] + horizontal * constants[2] +
                 (constants[4] - own) * constants[3];

    step->to[i] = own + constants[0] * flow;
}

int main(void)
{
    struct step first = {temperature, other}, odd = {other, result}, even = {result, other};

    simt_spawn(N * N, cell, &first);
    simt_spawn(N * N, cell, &odd);
    simt_spawn(N * N, cell, &even);
    simt_spawn(N * N, cell, &odd);
    return 0;
}
