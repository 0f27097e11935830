/* How often each of 64 values occurs. Each block counts in its shared memory first, and adds up what it has found, so that
 * few threads of different blocks want one word. */
#define BINS 64

__global__ void histogram(const unsigned char *values, unsigned *bins, int n)
{
    __shared__ unsigned own[BINS];

    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        own[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[values[i] % BINS], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        atomicAdd(&bins[bin], own[bin]);
}

void histogram_on_host(const unsigned char *values, unsigned *bins, int n)
{
    for (int i = 0; i < n; i++)
        bins[values[i] % BINS]++;
}
