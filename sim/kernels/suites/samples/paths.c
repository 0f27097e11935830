/* What options bring on random paths, computed path by path. */
#include <math.h>

/* Pairs of numbers from 0 to 1 become normal ones by the method of Box and Muller. */
void make_normal(float *numbers, int count)
{
    for (int i = 0; i + 1 < count; i += 2) {
        double radius = sqrt(-2 * log(1 - numbers[i])), angle = 2 * M_PI * numbers[i + 1];

        numbers[i] = radius * cos(angle);
        numbers[i + 1] = radius * sin(angle);
    }
}

/* Of each option, which has its price, strike, drift and spread, the sum of what it brings on each path, and that of squares.
 * A block takes every so manieth option and path by path a thread, and a thread goes on to its next number after each. */
void monte_carlo(const float *options, const float *numbers, float *sums, int count, int paths, int blocks, int threads)
{
    for (int option = 0; option < count; option++, options += 4) {
        double sum = 0, squares = 0;

        for (int path = 0; path < paths; path++) {
            int thread = path % threads, each = (paths - thread + threads - 1) / threads;
            int turn = option / blocks * each + path / threads;
            double normal = numbers[(turn * blocks + option % blocks) * threads + thread];
            double value = fmax(options[0] * exp(options[2] + options[3] * normal) - options[1], 0);

            sum += value;
            squares += value * value;
        }
        sums[2 * option] = sum;
        sums[2 * option + 1] = squares;
    }
}
