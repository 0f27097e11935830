/* In place of the header of cuRAND, whose generators are not there. */
#pragma once

#ifdef XORWOW
/* Uniform random numbers by the generator that is cuRAND's default (Marsaglia: Xorshift RNGs, 2003, section 3.1). */
typedef struct {
    unsigned last[5], counter;
} curandState;

__host__ __device__ inline unsigned curand(curandState *state)
{
    unsigned *last = state->last, t = last[0] ^ last[0] >> 2;

    for (int i = 0; i < 4; i++)
        last[i] = last[i + 1];
    last[4] ^= last[4] << 4 ^ t ^ t << 1;
    state->counter += 362437;
    return last[4] + state->counter;
}

/* Above 0, up to 1. */
__host__ __device__ inline float curand_uniform(curandState *state) { return (float)curand(state) * 0x1p-32f + 0x1p-33f; }
__host__ __device__ inline double curand_uniform_double(curandState *state) { return curand(state) * 0x1p-32 + 0x1p-33; }
#else
/* Normal random numbers that the host has made. Each state goes its own way through them. */
typedef struct {
    unsigned next, step;
} curandState;

__device__ const float *normal_numbers;

__device__ inline float curand_normal(curandState *state)
{
    float number = normal_numbers[state->next];

    state->next += state->step;
    return number;
}
#endif
