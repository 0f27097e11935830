/* Prices of European options by the formula of Black and Scholes, one option a thread. */
#include "simt_grid.h"
#include "simt_math.h"

extern const float spot[N], strike[N], rate[N], volatility[N], years[N];
SIMT_OUTPUT float call[N], put[N];

SIMT_KERNEL(price)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float deviation = volatility[i] * simt_sqrt(years[i]);
        float growth = (rate[i] + 0.5f * volatility[i] * volatility[i]) * years[i];
        float d1 = (simt_log(spot[i] / strike[i]) + growth) / deviation;
        float d2 = d1 - deviation;
        float discounted = strike[i] * simt_exp(-rate[i] * years[i]);
        float price = spot[i] * simt_normal(d1) - discounted * simt_normal(d2);

        call[i] = price;
        put[i] = price - spot[i] + discounted;
    }
}
