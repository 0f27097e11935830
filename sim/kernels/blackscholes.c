/* Prices of European options by the formula of Black and Scholes, one option a task. */
#include "simt_math.h"

extern const float spot[N], strike[N], rate[N], volatility[N], years[N];
SIMT_OUTPUT float call[N], put[N];

static void option(uint32_t i, void *unused)
{
    (void)unused;
    float deviation = volatility[i] * simt_sqrt(years[i]);
    float growth = (rate[i] + 0.5f * volatility[i] * volatility[i]) * years[i];
    float d1 = (simt_log(spot[i] / strike[i]) + growth) / deviation;
    float d2 = d1 - deviation;
    float discounted = strike[i] * simt_exp(-rate[i] * years[i]);

    call[i] = spot[i] * simt_normal(d1) - discounted * simt_normal(d2);
    put[i] = discounted * simt_normal(-d2) - spot[i] * simt_normal(-d1);
}

int main(void)
{
    simt_spawn(N, option, 0);
    return 0;
}
