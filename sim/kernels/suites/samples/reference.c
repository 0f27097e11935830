/* What those of NVIDIA's samples compute on numbers that have no function of their own for it. */
#include <math.h>

void matrix_product(float *c, const float *a, const float *b, int height, int depth, int width)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;

            for (int k = 0; k < depth; k++)
                sum += a[y * depth + k] * b[k * width + x];
            c[y * width + x] = sum;
        }
}

void block_sums(const int *in, int *sums, int length, int of)
{
    for (int block = 0; block * of < length; block++) {
        sums[block] = 0;
        for (int i = block * of; i < length && i < (block + 1) * of; i++)
            sums[block] += in[i];
    }
}

/* What each block of threads sums up. The first `threads` pairs are left out, and each block begins one pair behind the one
 * before: as in the sample. */
void products_of_blocks(float *products, const float2 *a, const float2 *b, int length, int blocks, int threads)
{
    for (int block = 0; block < blocks; block++) {
        products[block] = 0;
        for (int thread = 0; thread < threads; thread++)
            for (int i = thread + threads + block; i < length; i += blocks * threads)
                products[block] += a[i].x * b[i].x + a[i].y * b[i].y;
    }
}

void prefix_sums(int *sums, int length)
{
    for (int i = 1; i < length; i++)
        sums[i] += sums[i - 1];
}

/* Whether any, and whether all, of each group of numbers are not 0, for each of the group. */
void votes(const unsigned *in, unsigned *any, unsigned *all, int length, int of)
{
    for (int i = 0; i < length; i++) {
        any[i] = 0, all[i] = 1;
        for (int k = i / of * of; k < i / of * of + of; k++) {
            any[i] |= in[k] != 0;
            all[i] &= in[k] != 0;
        }
    }
}

void count_positive(const int *in, int *count, int length)
{
    for (int i = 0; i < length; i++)
        *count += in[i] > 0;
}

/* How many numbers are odd, the sum of those, and that of the even ones. */
void odd_and_even(const int *in, int *odd, int *sums, int length)
{
    for (int i = 0; i < length; i++) {
        *odd += in[i] & 1;
        sums[~in[i] & 1] += in[i];
    }
}

/* What each block of threads sums up: two numbers for each thread, and again behind those of all blocks. Place 0 gets the sum of
 * all numbers instead. */
void whole_sum(const float *in, float *sums, int length, int blocks, int threads)
{
    double whole = 0;

    for (int block = 0; block < blocks; block++)
        sums[block] = 0;
    for (int i = 0; i < length; i++) {
        sums[i / (2 * threads) % blocks] += in[i];
        whole += in[i];
    }
    sums[0] = (float)whole;
}

/* Each element is what a function says of its number. */
template <typename F> void for_each(float *out, int length, F value)
{
    for (int i = 0; i < length; i++)
        out[i] = value(i);
}

/* Of each option there are its price, strike, years, rate and volatility. This makes of them: price, strike, the logarithm of
 * the factor by which the price rises or falls in a step of a binomial tree, and what one unit after a step up and one after a
 * step down are worth before it. */
void binomial_steps(const float *options, float *steps, int count, int depth)
{
    for (; count--; options += 5, steps += 5) {
        double period = options[2] / depth, change = options[4] * sqrt(period), worth = exp(-options[3] * period);
        double up = (1 / worth - exp(-change)) / (2 * sinh(change));

        steps[0] = options[0], steps[1] = options[1], steps[2] = change;
        steps[3] = up * worth, steps[4] = (1 - up) * worth;
    }
}

/* What each option is worth at the start of its tree: all ends of the tree, by the number of ways to each. */
void binomial_calls(const float *steps, float *calls, int count, int depth)
{
    for (; count--; steps += 5) {
        double sum = 0;

        for (int up = 0; up <= depth; up++) {
            int down = depth - up;
            double ways = lgamma(depth + 1) - lgamma(up + 1) - lgamma(down + 1);
            double value = steps[0] * exp(steps[2] * (up - down)) - steps[1];

            sum += exp(ways + up * log(steps[3]) + down * log(steps[4])) * fmax(value, 0);
        }
        *calls++ = sum;
    }
}

/* MC_EstimatePiInlineP: states that are alike at first are so no longer after some numbers. */
void mix_states(curandState *states, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 40; k++)
            curand(&states[i]);
}

/* Of a thread's points, two numbers each, those nearer to the corner than 1; of all threads of a block. */
void count_inside(unsigned *inside, const curandState *states, int points, int blocks, int threads)
{
    for (int i = 0; i < blocks * threads; i++) {
        curandState state = states[i];
        if (i % threads == 0)
            inside[i / threads] = 0;
        for (int point = i; point < points; point += blocks * threads) {
            float x = curand_uniform(&state), y = curand_uniform(&state);
            inside[i / threads] += x * x + y * y < 1;
        }
    }
}
