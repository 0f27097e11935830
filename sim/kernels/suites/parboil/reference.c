/* What the kernels of Parboil should compute, written from what each is for, in the plainest way that computes it. */
#include <math.h>
#include <stdlib.h>
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

/* Points of the unit sphere, from their angles in degrees. */
void tpacf_places(const float *apart, const float *around, float *x, float *y, float *z, int count)
{
    for (int i = 0; i < count; i++) {
        double pole = apart[i] * acos(-1) / 180, axis = around[i] * acos(-1) / 180;
        x[i] = sin(pole) * cos(axis);
        y[i] = sin(pole) * sin(axis);
        z[i] = cos(pole);
    }
}

/* Of every set with itself, the first one being the data, then of the data with each other set. The bounds are cosines. */
void tpacf_counts(const float *x, const float *y, const float *z, int points, int sets, const float *bounds, int bins,
                  unsigned *counts)
{
    memset(counts, 0, (1 + 2 * sets) * bins * sizeof *counts);
    for (int which = 0; which <= 2 * sets; which++, counts += bins) {
        int one = which <= sets ? which : 0, other = which <= sets ? which : which - sets;
        for (int i = one * points; i < (one + 1) * points; i++)
            for (int j = one == other ? i + 1 : other * points; j < (other + 1) * points; j++) {
                float cosine = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
                for (int bin = 0; bin < bins; bin++)
                    counts[bin] += cosine < bounds[bin] && cosine >= bounds[bin + 1];
            }
    }
}

/* The first range of 8192 values that is counted in local memory (side -1), or the last (side 1). Each of the blocks takes
   the first eighth of its part in 512 groups: of the groups' means, and of their deviations, the mean, and ten of these. */
unsigned histo_end(const unsigned *image, int count, int blocks, int side)
{
    unsigned end = 0;

    for (int block = 0; block < blocks; block++) {
        const unsigned *part = image + block * (count / blocks);
        int taken = count / blocks / 8;
        double means = 0, deviations = 0;
        for (int group = 0; group < 512; group++) {
            double sum = 0, squares = 0;
            int n = 0;
            for (int i = group; i < taken; i += 512, n++)
                sum += part[i];
            for (int i = group; i < taken; i += 512)
                squares += (part[i] - sum / n) * (part[i] - sum / n);
            means += sum / n / 512;
            deviations += sqrt(squares / n) / 512;
        }
        unsigned range = (unsigned)(means + side * 10 * deviations) / 8192;
        if (block == 0 || (side < 0 ? range < end : range > end))
            end = range;
    }
    return end;
}

void histo_ends(const unsigned *image, int count, int blocks, unsigned *range)
{
    range[0] = histo_end(image, count, blocks, -1);
    range[1] = histo_end(image, count, blocks, 1);
}

void histo_counts(const unsigned *image, int count, unsigned char *counts, int bins)
{
    memset(counts, 0, bins);
    for (int i = 0; i < count; i++)
        counts[image[i]] += counts[image[i]] < 255;
}

/* Steps from node 0, each node having its first edge and their number, each edge its end and its cost, which is 1. All nodes
   that are reached have been finished. */
void bfs_search(const int *nodes, const int *edges, int count, int far, int *cost, int white, int black, int *color)
{
    int *queue = (int *)malloc(count * sizeof *queue), tail = 1;

    for (int i = 0; i < count; i++)
        cost[i] = i ? far : 0;
    queue[0] = 0;
    for (int head = 0; head < tail; head++) {
        int node = queue[head];
        for (int i = nodes[2 * node]; i < nodes[2 * node] + nodes[2 * node + 1]; i++)
            if (cost[edges[2 * i]] == far) {
                cost[edges[2 * i]] = cost[node] + 1;
                queue[tail++] = edges[2 * i];
            }
    }
    free(queue);
    for (int i = 0; i < count; i++)
        color[i] = cost[i] == far ? white : black;
}

/* Nothing is left, and no queue was too short. */
void bfs_ends(int *tail, int *overflow) { *tail = *overflow = 0; }

/* The rows of a matrix, `longest` places for each, in JDS format, for warps of 32 threads. What a group of rows is padded with
   is 0, in the first column. */
void spmv_to_jds(const int *lengths, const int *columns, const float *entries, int rows, int longest, float *jds_entries,
                 int *jds_columns, int *jds_rows, int *jds_starts, int *jds_lengths)
{
    int at = 0, count = 0;

    for (int length = longest; length > 0; length--)
        for (int row = 0; row < rows; row++)
            if (lengths[row] == length)
                jds_rows[count++] = row;
    for (int i = 0; i < rows; i += 32)
        jds_lengths[i / 32] = lengths[jds_rows[i]];
    for (int k = 0; k < longest; k++) {
        jds_starts[k] = at;
        for (int i = 0; i < (rows + 31) / 32 * 32 && k < jds_lengths[i / 32]; i++, at++) {
            int row = i < rows ? jds_rows[i] : 0, padding = i >= rows || k >= lengths[row];
            jds_entries[at] = padding ? 0 : entries[row * longest + k];
            jds_columns[at] = padding ? 0 : columns[row * longest + k];
        }
    }
}

void spmv_product(const int *lengths, const int *columns, const float *entries, int rows, int longest, const float *vector,
                  float *product)
{
    for (int row = 0; row < rows; row++) {
        double sum = 0;
        for (int i = row * longest; i < row * longest + lengths[row]; i++)
            sum += (double)entries[i] * vector[columns[i]];
        product[row] = sum;
    }
}

/* The velocities of cells' distributions, in this order. */
static const int lbm_velocities[19][3] = {
    {0, 0, 0},  {0, 1, 0},   {0, -1, 0}, {1, 0, 0},  {-1, 0, 0},  {0, 0, 1}, {0, 0, -1},
    {1, 1, 0},  {-1, 1, 0},  {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},  {0, 1, -1},
    {0, -1, 1}, {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

/* The distribution of a velocity that belongs to this mass and mean velocity. */
static double lbm_balanced(const int *velocity, double mass, const double *mean)
{
    double along = 0, squares = 0;
    int axes = 0;

    for (int i = 0; i < 3; i++) {
        along += velocity[i] * mean[i];
        squares += mean[i] * mean[i];
        axes += velocity[i] != 0;
    }
    return mass / (axes == 0 ? 3 : axes == 1 ? 18 : 36) * (1 + 3 * along + 4.5 * along * along - 1.5 * squares);
}

/* A step of a cell, whose distributions are `apart` numbers from one another, and behind them what kind of cell it is: a wall
   (1), which throws all back, or one that moves on its own (2). They go on to the cells at their velocities' ends. */
static void lbm_cell(const float *from, float *to, int apart, int line, int plane)
{
    static const double lid[3] = {0.005, 0.002, 0};
    double mass = 0, mean[3] = {0, 0, 0};
    int kind;

    memcpy(&kind, from + 19 * apart, sizeof kind);
    for (int i = 0; i < 19; i++)
        mass += from[i * apart];
    for (int i = 0; i < 3 * 19; i++)
        mean[i % 3] += lbm_velocities[i / 3][i % 3] * from[i / 3 * apart] / mass;
    if (kind & 2)
        memcpy(mean, lid, sizeof mean);
    for (int i = 0; i < 19; i++) {
        const int *v = lbm_velocities[i];
        int back = 0;

        while (lbm_velocities[back][0] != -v[0] || lbm_velocities[back][1] != -v[1] || lbm_velocities[back][2] != -v[2])
            back++;
        to[i * apart + v[0] + v[1] * line + v[2] * plane] =
            kind & 1 ? from[back * apart] : from[i * apart] + 1.95 * (lbm_balanced(v, mass, mean) - from[i * apart]);
    }
}

void lbm_steps(float *cells, float *next, int nx, int ny, int nz, int line, int apart, int steps)
{
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < nx * ny * nz; i++) {
            int at = i % nx + i / nx * line;
            lbm_cell((step % 2 ? next : cells) + at, (step % 2 ? cells : next) + at, apart, line, line * ny);
        }
}
