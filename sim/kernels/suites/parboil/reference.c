/* What the kernels of Parboil should compute, written from what each is for, in the plainest way that computes it. */
#include <math.h>
#include <string.h>

/* Nobody writes the border. */
void stencil_start(const float *field, float *next, int count) { memcpy(next, field, count * sizeof *next); }

void stencil_steps(float *field, float *next, int nx, int ny, int nz, int steps)
{
    for (int step = 0; step < steps; step++) {
        memcpy(next, field, sizeof *next * nx * ny * nz);
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    const float *here = field + (z * ny + y) * nx + x;
                    float around = here[-1] + here[1] + here[-nx] + here[nx] + here[-nx * ny] + here[nx * ny];
                    next[here - field] = around / 36 - *here / 6;
                }
        memcpy(field, next, sizeof *next * nx * ny * nz);
    }
}

void sgemm_product(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)a[i + l * m] * b[j + l * n];
            c[i + j * m] = alpha * sum + beta * c[i + j * m];
        }
}

void mri_magnitude(const float *real, const float *imaginary, float *magnitude, int count)
{
    for (int i = 0; i < count; i++)
        magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

/* Of each sample its place in three dimensions, and its magnitude. */
void mri_q(const float *samples, int count, const float *x, const float *y, const float *z, float *real, float *imaginary,
           int points)
{
    for (int i = 0; i < points; i++)
        for (const float *sample = samples; sample < samples + 4 * count; sample += 4) {
            double angle = 2 * acos(-1) * (sample[0] * x[i] + sample[1] * y[i] + sample[2] * z[i]);
            real[i] += sample[3] * cos(angle);
            imaginary[i] += sample[3] * sin(angle);
        }
}
