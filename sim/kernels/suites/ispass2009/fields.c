/* What the kernels of ISPASS-2009 on fields should compute (LPS, CP, DG), written from what each is for. */
#include <math.h>
#include <string.h>

/* Each point becomes the mean of its six neighbours, but those on the border stay as they are. */
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

/* Adds to each point of a plane its potential. An atom is x, y, the square of its distance from the plane, and its charge. */
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

/* Says which nodes touch. Face 0 of an element touches face 1 of the next one, and face 2 touches face 3 of the next but one.
 * Where there is no such element there is a wall. A point of a face has seven numbers: its node, the other node, a factor, 1 or
 * at a wall -1, and its normal. The normal is random before, and of length 1 afterwards. */
void dg_surface(float *surface, int elements, int points_of_face, int nodes, int stride)
{
    static const int apart[4] = {1, -1, 2, -2};
    int points = 4 * points_of_face;

    for (int element = 0; element < elements; element++, surface += 7 * points)
        for (int point = 0; point < points; point++) {
            int face = point / points_of_face, other = element + apart[face], wall = other < 0 || other >= elements;
            float *here = surface + point, length = 0;

            here[0] = (face * nodes / 4 + point % points_of_face) % nodes + 6 * stride * element;
            here[points] = ((face ^ 1) * nodes / 4 + point % points_of_face) % nodes + 6 * stride * other;
            if (wall)
                here[points] = here[0];
            here[3 * points] = wall ? -1 : 1;
            for (int axis = 4; axis < 7; axis++)
                length += here[axis * points] * here[axis * points];
            for (int axis = 4; axis < 7; axis++)
                here[axis * points] /= sqrt(length);
        }
}

/* In a stage of the Runge-Kutta method, how much of the earlier changes is kept (0), and how much of the sum is added to the
 * fields (1). */
float dg_stage(int stage, int taken)
{
    static const double numbers[5][2] = {
        {0, 0.1496590219992291},
        {-0.4178904744998520, 0.3792103129996273},
        {-1.192151694642677, 0.8229550293869817},
        {-1.697784692471528, 0.6994504559491221},
        {-1.514183444257156, 0.1530572479681520},
    };

    return numbers[stage % 5][taken];
}

static void dg_cross(const double *a, const double *b, double *product)
{
    for (int i = 0; i < 3; i++)
        product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* What the fields of an element do at a point of its faces: parts of both fields' differences from those on the other side. */
static void dg_flux(const float *fields, const float *here, int points, int stride, double *flux)
{
    double normal[3], h[3], e[3], across_h[3], across_e[3], along_h = 0, along_e = 0;

    for (int i = 0; i < 3; i++) {
        int own = here[0] + i * stride, other = here[points] + i * stride;

        normal[i] = here[(4 + i) * points];
        h[i] = here[2 * points] * (fields[other] - fields[own]);
        e[i] = here[2 * points] * (here[3 * points] * fields[other + 3 * stride] - fields[own + 3 * stride]);
        along_h += normal[i] * h[i];
        along_e += normal[i] * e[i];
    }
    dg_cross(normal, e, across_e);
    dg_cross(normal, h, across_h);
    for (int i = 0; i < 3; i++) {
        flux[i] = h[i] - along_h * normal[i] - across_e[i];
        flux[3 + i] = e[i] - along_e * normal[i] + across_h[i];
    }
}

/* How the fields of an element change at one of its nodes. */
static void dg_change(const float *fields, float *changes, const float *derivatives, const float *lifts, const float *geometry,
                      const float *surface, int node, int points, int nodes, int stride, const float *all)
{
    double curl[2][3] = {{0}}, sums[6] = {0};

    for (int from = 0; from < nodes; from++) {
        const float *inside = derivatives + 4 * (node + from * stride);
        double gradient[3], values[2][3], product[3];

        for (int axis = 0; axis < 3; axis++)
            gradient[axis] = geometry[axis] * inside[0] + geometry[4 + axis] * inside[1] + geometry[8 + axis] * inside[2];
        for (int field = 0; field < 2; field++) {
            for (int axis = 0; axis < 3; axis++)
                values[field][axis] = fields[from + (3 * field + axis) * stride];
            dg_cross(gradient, values[field], product);
            for (int axis = 0; axis < 3; axis++)
                curl[field][axis] += product[axis];
        }
    }
    for (int point = 0; point < points; point++) {
        double flux[6];

        dg_flux(all, surface + point, points, stride, flux);
        for (int i = 0; i < 6; i++)
            sums[i] += lifts[(point / 4 * nodes + node) * 4 + point % 4] * flux[i];
    }
    for (int i = 0; i < 6; i++)
        changes[node + i * stride] = sums[i] + (i < 3 ? -curl[1][i] : curl[0][i - 3]);
}

/* The magnetic field changes by the electric one's curl, and the other way round. The six parts of the fields of an element are
 * `stride` numbers from one another. */
void dg_stages(float *fields, float *changes, float *kept, const float *derivatives, const float *lifts, const float *geometry,
               const float *surface, int elements, int points, int nodes, int stride, double time, int stages)
{
    for (int stage = 0; stage < stages; stage++) {
        for (int i = 0; i < elements * nodes; i++) {
            int element = i / nodes;

            dg_change(fields + element * 6 * stride, changes + element * 6 * stride, derivatives, lifts, geometry + element * 12,
                      surface + element * 7 * points, i % nodes, points, nodes, stride, fields);
        }
        for (int i = 0; i < elements * 6 * stride; i++) {
            kept[i] = dg_stage(stage, 0) * kept[i] + time * changes[i];
            fields[i] += dg_stage(stage, 1) * kept[i];
        }
    }
}
