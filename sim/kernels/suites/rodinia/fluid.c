/* A mesh for the kernels of cfd of Rodinia, and how a gas should flow through it, in the plainest way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The area of the triangle a, b, c, along its normal, which points to d. */
static void normal_towards(const double *a, const double *b, const double *c, const double *d, double *normal)
{
    double inwards = 0;

    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j])) / 2;
        inwards += normal[i] * (d[i] - a[i]);
    }
    for (int i = 0; i < 3 && inwards < 0; i++)
        normal[i] = -normal[i];
}

/* The cube of an element, and the order of the axes along which it goes from the low corner of its cube to the high one. */
static void cube_and_axes(const int *cubes, int element, int *cube, int *axes)
{
    cube[0] = element / 6 % cubes[0];
    cube[1] = element / 6 / cubes[0] % cubes[1];
    cube[2] = element / 6 / cubes[0] / cubes[1];
    axes[0] = element % 6 / 2;
    axes[1] = (axes[0] + 1 + element % 2) % 3;
    axes[2] = 3 - axes[0] - axes[1];
}

/* The corners of an element. Its cube has sides of 1, but the corners of cubes are shifted. */
static void element_corners(const int *cubes, int element, const float *shifts, double corners[4][3])
{
    int at[3], axes[3];

    cube_and_axes(cubes, element, at, axes);
    for (int corner = 0; corner < 4; corner++) {
        const float *shift = &shifts[3 * ((at[2] * (cubes[1] + 1) + at[1]) * (cubes[0] + 1) + at[0])];
        for (int axis = 0; axis < 3; axis++)
            corners[corner][axis] = at[axis] + shift[axis];
        if (corner < 3)
            at[axes[corner]]++;
    }
}

/* The element behind the face opposite to a corner, -1 for the wall below all cubes, -2 for any other side. Opposite to the
 * first or the last corner it is in the next cube along the first axis, or in the one before along the last axis; the order of
 * its axes begins with the second or the last one of the element's and goes on in turn. Else it is in the same cube, and two
 * axes have changed places. */
static int element_behind(const int *cubes, int element, int face)
{
    static const int orders[4][2] = {{1, 2}, {1, 0}, {0, 2}, {2, 0}};
    int at[3], axes[3];

    cube_and_axes(cubes, element, at, axes);
    if (face == 0)
        at[axes[0]]++;
    if (face == 3)
        at[axes[2]]--;
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= cubes[axis])
            return at[2] < 0 ? -1 : -2;
    int first = axes[orders[face][0]], second = axes[orders[face][1]];
    return 6 * ((at[2] * cubes[1] + at[1]) * cubes[0] + at[0]) + 2 * first + (second - first + 3) % 3 - 1;
}

/* A mesh of cubes of six tetrahedra each. Elements change places with others, one after the other, as `swaps` says. Normals of
 * faces point inwards. Places behind those of all elements repeat the last one. */
void cfd_mesh(int cubes_x, int cubes_y, int cubes_z, const float *shifts, const int *swaps, int padded, float *volumes,
              int *neighbours, float *normals)
{
    const int cubes[3] = {cubes_x, cubes_y, cubes_z};
    int count = 6 * cubes_x * cubes_y * cubes_z, *elements = (int *)malloc(count * sizeof *elements);
    int *places = (int *)malloc(count * sizeof *places);

    for (int i = 0; i < count; i++)
        elements[i] = i;
    for (int i = 0; i < count; i++) {
        int element = elements[i];
        elements[i] = elements[swaps[i]];
        elements[swaps[i]] = element;
    }
    for (int i = 0; i < count; i++)
        places[elements[i]] = i;
    for (int i = 0; i < padded; i++) {
        int element = elements[i < count ? i : count - 1];
        double corners[4][3], normal[3];
        element_corners(cubes, element, shifts, corners);
        for (int face = 0; face < 4; face++) {
            int behind = element_behind(cubes, element, face);
            neighbours[face * padded + i] = behind < 0 ? behind : places[behind];
            normal_towards(corners[face ^ 1], corners[face ^ 2], corners[face ^ 3], corners[face], normal);
            for (int axis = 0; axis < 3; axis++)
                normals[(4 * axis + face) * padded + i] = normal[axis];
        }
        volumes[i] = 0;
        for (int axis = 0; axis < 3; axis++)
            volumes[i] += normal[axis] * (corners[3][axis] - corners[0][axis]) / 3;
    }
    free(elements);
    free(places);
}

/* The pressure of a gas of density, momentum in three directions, and energy. */
static double pressure_of(const double *gas)
{
    return 0.4 * (gas[4] - (gas[1] * gas[1] + gas[2] * gas[2] + gas[3] * gas[3]) / (2 * gas[0]));
}

/* How fast a change of the gas travels: at the speed of the gas and that of sound together. */
static double speed_of(const double *gas)
{
    return (sqrt(gas[1] * gas[1] + gas[2] * gas[2] + gas[3] * gas[3]) + sqrt(1.4 * pressure_of(gas) * gas[0])) / gas[0];
}

/* How much of one of the five variables flows along a normal. */
static double flow_of(const double *gas, int variable, const double *normal)
{
    double volume = (gas[1] * normal[0] + gas[2] * normal[1] + gas[3] * normal[2]) / gas[0];

    if (variable == 0)
        return volume * gas[0];
    if (variable == 4)
        return volume * (gas[4] + pressure_of(gas));
    return volume * gas[variable] + normal[variable - 1] * pressure_of(gas);
}

/* A gas at a multiple of the speed of sound along x, with a pressure of 1, and how momentum and energy flow in it. */
void cfd_far(float mach, float *far, float *flow_x, float *flow_y, float *flow_z, float *flow_energy)
{
    const double gas[5] = {1.4, 1.4 * mach, 0, 0, 0.7 * mach * mach + 2.5};

    for (int i = 0; i < 5; i++)
        far[i] = gas[i];
    for (int axis = 0; axis < 3; axis++) {
        const double normal[3] = {(double)(axis == 0), (double)(axis == 1), (double)(axis == 2)};
        flow_x[axis] = flow_of(gas, 1, normal);
        flow_y[axis] = flow_of(gas, 2, normal);
        flow_z[axis] = flow_of(gas, 3, normal);
        flow_energy[axis] = flow_of(gas, 4, normal);
    }
}

/* What flows into an element, with some friction between neighbours. From a wall there comes nothing but pressure. */
static void cfd_flow(const double *gas, int element, int count, const double *far, const int *neighbours, const float *normals,
                     double *flow)
{
    const double *here = gas + 5 * element;

    for (int i = 0; i < 5; i++)
        flow[i] = 0;
    for (int face = 0; face < 4; face++) {
        int place = face * count + element, neighbour = neighbours[place];
        const double normal[3] = {normals[place], normals[4 * count + place], normals[8 * count + place]};
        const double *there = neighbour < 0 ? far : gas + 5 * neighbour;
        double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        double friction = neighbour < 0 ? 0 : 0.1 * area * (speed_of(here) + speed_of(there));
        for (int i = 0; i < 5; i++)
            if (neighbour != -1)
                flow[i] += (flow_of(here, i, normal) + flow_of(there, i, normal)) / 2 - friction * (here[i] - there[i]);
            else if (i > 0 && i < 4)
                flow[i] += normal[i - 1] * pressure_of(here);
    }
}

/* Three steps of Runge-Kutta go a fourth, a third and a half of the way, each from where the first one began. All begin with the
 * gas far away. The first three leave their results in `other`, the next three in `variables`, and so on. */
void cfd_steps(int steps, int count, const float *far_away, const float *volumes, const int *neighbours, const float *normals,
               float *variables, float *other, float *flows, float *factors)
{
    double *gas = (double *)malloc(5 * count * sizeof *gas), *old = (double *)malloc(5 * count * sizeof *old), far[5], flow[5];
    double *next = (double *)malloc(5 * count * sizeof *next);

    for (int i = 0; i < 5; i++)
        far[i] = far_away[i];
    for (int i = 0; i < 5 * count; i++)
        gas[i] = variables[i % 5 * count + i / 5] = far[i % 5];
    for (int step = 0; step < steps; step++) {
        if (step % 3 == 0) {
            memcpy(old, gas, 5 * count * sizeof *old);
            for (int i = 0; i < count; i++)
                factors[i] = 0.5 / (sqrt(volumes[i]) * speed_of(gas + 5 * i));
        }
        for (int i = 0; i < count; i++) {
            cfd_flow(gas, i, count, far, neighbours, normals, flow);
            for (int variable = 0; variable < 5; variable++) {
                flows[variable * count + i] = flow[variable];
                next[5 * i + variable] = old[5 * i + variable] + factors[i] / (4 - step % 3) * flow[variable];
            }
        }
        memcpy(gas, next, 5 * count * sizeof *gas);
        for (int i = 0; i < 5 * count; i++)
            (step / 3 % 2 ? variables : other)[i % 5 * count + i / 5] = gas[i];
    }
    free(gas);
    free(old);
    free(next);
}
