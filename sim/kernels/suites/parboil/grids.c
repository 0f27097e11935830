/* What the kernels of Parboil on grids in space should compute (stencil, lbm, cutcp), written from what each is for. */
#include <math.h>
#include <string.h>

/* The border is never written, so both arrays need it. */
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

/* The velocities of the distributions of a cell, in the order of the arrays. */
static const int lbm_velocities[19][3] = {
    {0, 0, 0},  {0, 1, 0},   {0, -1, 0}, {1, 0, 0},  {-1, 0, 0},  {0, 0, 1}, {0, 0, -1},
    {1, 1, 0},  {-1, 1, 0},  {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},  {0, 1, -1},
    {0, -1, 1}, {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

/* How large the distribution of a velocity is in balance, at this mass and mean velocity. */
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

/* A step of a cell, whose distributions are `apart` numbers from one another. Behind them is what kind of cell it is: 1 for a
   wall, which throws all back, 2 for one that moves at a speed of its own. A distribution goes on to the cell that its velocity
   leads to. */
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

/* An atom is its place and its charge, which is taken from it if its bin is full. There is a bin for each region, and `around`
   more of them on each side. */
void cutcp_bins(float *atoms, int count, double side, int nx, int ny, int around, float *bins, int depth)
{
    for (float *atom = atoms; atom < atoms + 4 * count; atom += 4) {
        int x = floor(atom[0] / side) + around, y = floor(atom[1] / side) + around, z = floor(atom[2] / side) + around;
        float *bin = bins + ((z * (ny + 2 * around) + y) * (nx + 2 * around) + x) * depth * 4, *end = bin + depth * 4;
        while (bin < end && bin[3] != 0)
            bin += 4;
        if (bin < end)
            memcpy(bin, atom, 4 * sizeof *atom);
        else
            atom[3] = 0;
    }
}

/* The bins with points that may be near a bin, as steps from it: they are `away` sides of a bin from each other at most. */
void cutcp_near(int around, double away, int *near, int *count)
{
    *count = 0;
    for (int z = -around; z <= around; z++)
        for (int y = -around; y <= around; y++)
            for (int x = -around; x <= around; x++)
                if (x * x + y * y + z * z < (away + sqrt(3)) * (away + sqrt(3))) {
                    int bin[3] = {x, y, z};
                    memcpy(near + 3 * (*count)++, bin, sizeof bin);
                }
}

/* Charges by their distance, made smaller so that none is left at the cutoff. The 8 x 8 x 8 points of a region are together. */
void cutcp_energy(const float *atoms, int count, double spacing, double cutoff, int nx, int ny, int regions, float *energy)
{
    for (int i = 0; i < regions * 512; i++) {
        int region = i / 512;
        double x = (region % nx * 8 + i % 8) * spacing, y = (region / nx % ny * 8 + i / 8 % 8) * spacing;
        double z = (region / nx / ny * 8 + i / 64 % 8) * spacing, sum = 0;
        for (const float *atom = atoms; atom < atoms + 4 * count; atom += 4) {
            double squares = pow(atom[0] - x, 2) + pow(atom[1] - y, 2) + pow(atom[2] - z, 2);
            if (squares < cutoff * cutoff)
                sum += atom[3] / sqrt(squares) * pow(1 - squares / (cutoff * cutoff), 2);
        }
        energy[i] = sum;
    }
}
