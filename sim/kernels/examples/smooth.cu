/* smooth.cu: in CUDA, as for any GPU: a row of numbers is smoothed several times, and then added up block by block. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

#define BLOCK 16

/* Each number becomes the mean of itself and its neighbours, weighed by how close they are to it. */
__device__ float weight(float a, float b)
{
    return expf(-(a - b) * (a - b));
}

__global__ void smooth(const float *from, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float here = from[i], sum = here, weights = 1.0f;
    for (int j = i - 2; j <= i + 2; j++) {
        if (j < 0 || j >= n || j == i)
            continue;
        float w = weight(here, from[j]);
        sum += w * from[j];
        weights += w;
    }
    to[i] = sum / weights;
}

__global__ void add(const float *values, float *sums, int n)
{
    __shared__ float part[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;

    part[threadIdx.x] = i < n ? values[i] : 0.0f;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

/* What the host computes, to compare. */
void smooth_on_host(float *values, float *other, int n, int times)
{
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) {
            float sum = values[i], weights = 1.0f;
            for (int j = i - 2; j <= i + 2; j++)
                if (j >= 0 && j < n && j != i) {
                    float w = expf(-(values[i] - values[j]) * (values[i] - values[j]));
                    sum += w * values[j];
                    weights += w;
                }
            other[i] = sum / weights;
        }
        for (int i = 0; i < n; i++)
            values[i] = other[i];
    }
}

void add_on_host(const float *values, float *sums, int n)
{
    for (int i = 0; i < n; i++)
        sums[i / BLOCK] = (i % BLOCK ? sums[i / BLOCK] : 0.0f) + values[i];
}

/* A program for a GPU goes on like this. Nothing of it is compiled: the launch description says what is started. */
int main()
{
    float *a, *b;

    cudaMalloc(&a, 1000 * sizeof(float));
    cudaMalloc(&b, 1000 * sizeof(float));
    smooth<<<(1000 + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, 1000);
    cudaDeviceSynchronize();
    printf("done\n");
    return 0;
}
