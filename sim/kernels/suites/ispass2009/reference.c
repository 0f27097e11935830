/* What the kernels of ISPASS-2009 should compute, written from what each is for, in the plainest way that computes it. */
#include <math.h>
#include <string.h>

void lps_steps(float *field, float *next, int nx, int ny, int nz, int steps)
{
    for (int step = 0; step < steps; step++) {
        memcpy(next, field, sizeof *next * nx * ny * nz);
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    const float *here = field + (z * ny + y) * nx + x;
                    next[here - field] = (here[-1] + here[1] + here[-nx] + here[nx] + here[-nx * ny] + here[nx * ny]) / 6;
                }
        memcpy(field, next, sizeof *next * nx * ny * nz);
    }
}

/* Of each atom x, y, the square of its distance from the plane, and its charge. */
void cp_energy(const float *atoms, int count, float spacing, float *energy, int width, int height)
{
    for (int i = 0; i < width * height; i++) {
        double sum = 0;
        for (const float *atom = atoms; atom < atoms + 4 * count; atom += 4) {
            double dx = i % width * spacing - atom[0], dy = i / width * spacing - atom[1];
            sum += atom[3] / sqrt(dx * dx + dy * dy + atom[2]);
        }
        energy[i] += sum;
    }
}

static int threatened(unsigned columns, unsigned left, unsigned right) { return columns | left | right; }

/* All ways to fill the first rows: the columns that queens have, and those that they threaten in the next row. */
static void starts(int queens, int rows, unsigned now[3], unsigned *to[3], int *count)
{
    if (!rows) {
        for (int i = 0; i < 3; i++)
            to[i][*count] = now[i];
        ++*count;
        return;
    }
    for (unsigned bit = 1; bit < 1u << queens; bit <<= 1)
        if (!(threatened(now[0], now[1], now[2]) & bit)) {
            unsigned next[3] = {now[0] | bit, (now[1] | bit) << 1, (now[2] | bit) >> 1};
            starts(queens, rows - 1, next, to, count);
        }
}

void nqu_starts(int queens, int rows, unsigned *columns, unsigned *left, unsigned *right, int *count)
{
    unsigned now[3] = {0, 0, 0}, *to[3] = {columns, left, right};

    *count = 0;
    starts(queens, rows, now, to, count);
}

static int ways(int queens, unsigned columns, unsigned left, unsigned right)
{
    int sum = 0;

    if (columns == (1u << queens) - 1)
        return 1;
    for (unsigned bit = 1; bit < 1u << queens; bit <<= 1)
        if (!(threatened(columns, left, right) & bit))
            sum += ways(queens, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    return sum;
}

/* The sum of each block. */
void nqu_ways(int queens, const unsigned *columns, const unsigned *left, const unsigned *right, int count, int block,
              unsigned *sums)
{
    for (int i = 0; i < count; i++)
        sums[i / block] = (i % block ? sums[i / block] : 0) + ways(queens, columns[i], left[i], right[i]);
}
