/* Prices of European options by the formula of Black and Scholes, one option a task. */
#include "simt_math.h"

extern const float spot[N], strike[N], rate[N], volatility[N], years[N];
SIMT_OUTPUT float call[N], put[N];

/* The normal distribution's integral up to x (Abramowitz and Stegun, 26.2.17). */
static inline float normal(float x)
{
    float distance = simt_abs(x);
    float k = 1.0f / (1.0f + 0.2316419f * distance);
    float density = 0.39894228f * simt_exp(-0.5f * distance * distance);
    float series = 1.330274429f;

    series = series * k - 1.821255978f;
    series = series * k + 1.781477937f;
    series = series * k - 0.356563782f;
    series = series * k + 0.319381530f;
    float beyond = density * series * k;
    return simt_select_float(x < 0.0f, beyond, 1.0f - beyond);
}

static void option(uint32_t i, void *unused)
{
    (void)unused;
    float deviation = volatility[i] * simt_sqrt(years[i]);
    float growth = (rate[i] + 0.5f * volatility[i] * volatility[i]) * years[i];
    float d1 = (simt_log(spot[i] / strike[i]) + growth) / deviation;
    float d2 = d1 - deviation;
    float discounted = strike[i] * simt_exp(-rate[i] * years[i]);

    call[i] = spot[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - spot[i] * normal(-d1);
}

int main(void)
{
    simt_spawn(N, option, 0);
    return 0;
}
