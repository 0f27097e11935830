/* Sums of all numbers up to each, in blocks: in the warps by shuffles, and from warp to warp through shared memory. */
__global__ void scan(const int *values, int *sums, int n)
{
    __shared__ int of_warps[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int sum = i < n ? values[i] : 0;

    for (int by = 1; by < warpSize; by *= 2) {
        int before = __shfl_up_sync(0xffffffff, sum, by);

        if (lane >= by)
            sum += before;
    }
    if (lane == warpSize - 1)
        of_warps[warp] = sum;
    __syncthreads();
    for (int before = 0; before < warp; before++)
        sum += of_warps[before];
    if (i < n)
        sums[i] = sum;
}

void scan_on_host(const int *values, int *sums, int n, int block)
{
    for (int i = 0; i < n; i++)
        sums[i] = values[i] + (i % block ? sums[i - 1] : 0);
}
