/* What the kernels of LIB of ISPASS-2009 should find of interest rates, in the plainest way. */
#include <math.h>

/* A number, and how much it changes if the last of the rates at the start does. */
struct moving {
    double value, slope;
};

static struct moving times(struct moving a, struct moving b)
{
    return (struct moving){a.value * b.value, a.value * b.slope + a.slope * b.value};
}

/* What a unit of money is worth a period earlier, at this rate. */
static struct moving discount(struct moving rate, double period)
{
    double factor = 1 / (1 + period * rate.value);

    return (struct moving){factor, -period * rate.slope * factor * factor};
}

/* A step of the LIBOR market model of each rate from `first` on, by the same random number. */
static void lib_step(struct moving *rates, int first, int count, const float *volatility, double period)
{
    struct moving drift = {0, 0};

    for (int i = first; i < count; i++) {
        double part = period * volatility[i - first];
        struct moving worth = discount(rates[i], period);

        /* L / (1 + d L) is (1 - 1 / (1 + d L)) / d. */
        drift.value += part * (1 - worth.value) / period;
        drift.slope -= part * worth.slope / period;
        double growth = exp(part * drift.value + volatility[i - first] * (sqrt(period) * 0.3 - 0.5 * part));
        rates[i] = times(rates[i], (struct moving){growth, growth * part * drift.slope});
    }
}

/* What all options together are worth, and how much that changes with the last rate. All paths are the same: the program has a
 * constant in place of random numbers. */
void lib_portfolio(const int *due, const float *agreed, const float *volatility, int options, int count, int steps,
                   double period, float *values, float *again, float *slopes, int paths)
{
    struct moving rates[count], sum = {0, 0}, bond = {1, 0}, annuity = {0, 0};

    for (int i = 0; i < count; i++)
        rates[i] = (struct moving){0.05, i == count - 1};
    for (int step = 0; step < steps; step++)
        lib_step(rates, step + 1, count, volatility, period);
    for (int i = steps; i < count; i++) {
        bond = times(bond, discount(rates[i], period));
        annuity = (struct moving){annuity.value + period * bond.value, annuity.slope + period * bond.slope};
        for (int k = 0; k < options; k++) {
            double swap = bond.value + agreed[k] * annuity.value - 1;

            if (due[k] == i - steps + 1 && swap < 0) {
                sum.value -= 100 * swap;
                sum.slope -= 100 * (bond.slope + agreed[k] * annuity.slope);
            }
        }
    }
    for (int i = 0; i < steps; i++)
        sum = times(sum, discount(rates[i], period));
    for (int path = 0; path < paths; path++) {
        values[path] = again[path] = sum.value;
        slopes[path] = sum.slope;
    }
}
