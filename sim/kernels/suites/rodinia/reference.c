/* What the kernels of Rodinia should compute, written from what each is for, in the plainest way that computes it. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int within(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

/* Capacity, resistances and the step of a chip, from its sizes and from Rodinia's constants. */
void hotspot_chip(float *chip, int side, float thickness, float height, float width)
{
    float cell_height = height / side, cell_width = width / side;

    chip[0] = 0.5 * 1.75e6 * thickness * cell_width * cell_height;
    chip[1] = cell_width / (2.0 * 100 * thickness * cell_height);
    chip[2] = cell_height / (2.0 * 100 * thickness * cell_width);
    chip[3] = thickness / (100 * cell_height * cell_width);
    chip[4] = 0.001 / (3.0e6 / (0.5 * thickness * 1.75e6));
}

void hotspot_steps(const float *power, float *temperature, float *other, int side, const float *chip, int steps)
{
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < side * side; i++) {
            int x = i % side, y = i / side;
            float here = temperature[i];
            float vertical = temperature[within(y + 1, side) * side + x] + temperature[within(y - 1, side) * side + x];
            float horizontal = temperature[y * side + within(x + 1, side)] + temperature[y * side + within(x - 1, side)];
            other[i] = here + chip[4] / chip[0]
                * (power[i] + (vertical - 2 * here) / chip[2] + (horizontal - 2 * here) / chip[1] + (80 - here) / chip[3]);
        }
        memcpy(temperature, other, side * side * sizeof *other);
    }
}

/* Costs of the first row become those of the last one. */
void pathfinder_paths(const int *wall, int *costs, int columns, int rows)
{
    int *next = (int *)malloc(columns * sizeof *next);

    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < columns; i++) {
            int best = costs[i], left = costs[within(i - 1, columns)], right = costs[within(i + 1, columns)];
            best = left < best ? left : best;
            best = right < best ? right : best;
            next[i] = best + wall[row * columns + i];
        }
        memcpy(costs, next, columns * sizeof *next);
    }
    free(next);
}

/* Steps from node 0, or -1; each node has its first edge and their number. Returns how many rounds find all of them. */
int bfs_levels(const int *nodes, const int *edges, int count, int *levels)
{
    int *found = (int *)malloc(count * sizeof *found), *queue = (int *)malloc(count * sizeof *queue);
    int head = 0, tail = 0, rounds;

    for (int i = 0; i < count; i++)
        found[i] = i ? -1 : 0;
    for (queue[tail++] = 0; head < tail; head++) {
        int node = queue[head];
        for (int i = nodes[2 * node]; i < nodes[2 * node] + nodes[2 * node + 1]; i++)
            if (found[edges[i]] < 0) {
                found[edges[i]] = found[node] + 1;
                queue[tail++] = edges[i];
            }
    }
    rounds = found[queue[tail - 1]] + 1;
    if (levels)
        memcpy(levels, found, count * sizeof *found);
    free(found);
    free(queue);
    return rounds;
}

/* The relative variance of the whole image. */
static float relative_variance(const float *image, int size)
{
    float sum = 0, squares = 0;

    for (int i = 0; i < size; i++) {
        sum += image[i];
        squares += image[i] * image[i];
    }
    float mean = sum / size;
    return (squares / size - mean * mean) / (mean * mean);
}

void srad_rounds(float *image, int rows, int columns, int rounds)
{
    int size = rows * columns;
    float *sides[4], *factors = (float *)malloc(size * sizeof *factors);

    for (int side = 0; side < 4; side++)
        sides[side] = (float *)malloc(size * sizeof **sides);
    for (; rounds > 0; rounds--) {
        float speckle = relative_variance(image, size);
        for (int i = 0; i < size; i++) {
            int x = i % columns, y = i / columns;
            float here = image[i], gradient = 0, laplacian = 0;
            const int neighbours[4] = {within(y - 1, rows) * columns + x, within(y + 1, rows) * columns + x,
                                       y * columns + within(x - 1, columns), y * columns + within(x + 1, columns)};
            for (int side = 0; side < 4; side++) {
                float difference = sides[side][i] = image[neighbours[side]] - here;
                gradient += difference * difference;
                laplacian += difference;
            }
            gradient /= here * here;
            laplacian /= here;
            float root = 1 + 0.25f * laplacian;
            float variation = (0.5f * gradient - laplacian * laplacian / 16) / (root * root);
            float factor = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
            factors[i] = factor < 0 ? 0 : factor > 1 ? 1 : factor;
        }
        for (int i = 0; i < size; i++) {
            int x = i % columns, y = i / columns;
            float south = factors[within(y + 1, rows) * columns + x], east = factors[y * columns + within(x + 1, columns)];
            float flow = factors[i] * (sides[0][i] + sides[2][i]) + south * sides[1][i] + east * sides[3][i];
            image[i] += 0.25f * 0.5f * flow;
        }
    }
    for (int side = 0; side < 4; side++)
        free(sides[side]);
    free(factors);
}

/* The relative variance that a round begins with. */
float srad_speckle(const float *image, int rows, int columns, int round)
{
    float *copy = (float *)malloc(rows * columns * sizeof *copy), speckle;

    memcpy(copy, image, rows * columns * sizeof *copy);
    srad_rounds(copy, rows, columns, round);
    speckle = relative_variance(copy, rows * columns);
    free(copy);
    return speckle;
}

void kmeans_closest(const float *features, const float *clusters, int *membership, int points, int count, int dimensions)
{
    for (int point = 0; point < points; point++) {
        float least = INFINITY;
        for (int cluster = 0; cluster < count; cluster++) {
            float distance = 0;
            for (int i = 0; i < dimensions; i++) {
                float difference = features[point * dimensions + i] - clusters[cluster * dimensions + i];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                membership[point] = cluster;
            }
        }
    }
}

void nn_distances(const float *places, float *distances, int count, float latitude, float longitude)
{
    for (int i = 0; i < count; i++)
        distances[i] = hypotf(latitude - places[2 * i], longitude - places[2 * i + 1]);
}

/* The distance of two points, squared: all first coordinates come before all second ones. */
static double squared_distance(const float *coordinates, int points, int dimensions, int a, int b)
{
    double sum = 0;

    for (int i = 0; i < dimensions; i++) {
        double difference = (double)coordinates[i * points + a] - coordinates[i * points + b];
        sum += difference * difference;
    }
    return sum;
}

/* The center of a point, if the last one of each `space` points is a center. */
static int nearest_center(const float *coordinates, int points, int dimensions, int space, int point)
{
    int nearest = space - 1;
    double least = INFINITY;

    for (int center = space - 1; center < points; center += space) {
        double distance = squared_distance(coordinates, points, dimensions, point, center);
        if (distance < least) {
            least = distance;
            nearest = center;
        }
    }
    return nearest;
}

/* Gives each point of four numbers its center, an integer, and what it costs there. The weight is there. */
void streamcluster_assign(const float *coordinates, float *points, int count, int dimensions, int space)
{
    for (int i = 0; i < count; i++) {
        int center = nearest_center(coordinates, count, dimensions, space, i);
        memcpy(&points[4 * i + 2], &center, sizeof center);
        points[4 * i + 3] = points[4 * i] * squared_distance(coordinates, count, dimensions, i, center);
    }
}

/* For each candidate and point, a row: what the point saves by going to the candidate, in the last place and below 0, or what
 * it would lose by that, in the place of its center. There is one more row for each candidate, of zeros. */
void streamcluster_costs(const float *coordinates, const float *points, int count, int dimensions, int space, int candidates,
                         float *costs, bool *switches)
{
    int centers = count / space;

    for (int candidate = 0; candidate < candidates; candidate++)
        for (int i = 0; i < count; i++) {
            float *row = costs + (candidate * (count + 1) + i) * (centers + 1);
            double there = points[4 * i] * squared_distance(coordinates, count, dimensions, i, candidate);
            double gain = points[4 * i + 3] - there;
            int center = nearest_center(coordinates, count, dimensions, space, i);
            switches[candidate * count + i] = gain > 0;
            row[gain > 0 ? centers : center / space] = gain > 0 ? -gain : gain;
        }
}

/* How many nodes each level of a tree has, the root first. Nodes are full to three quarters at most. Returns the levels. */
static int tree_levels(int records, int order, int *nodes)
{
    int levels = 0, fill = order * 3 / 4, above[32];

    do
        above[levels++] = records = (records + fill - 1) / fill;
    while (records > 1);
    for (int i = 0; i < levels; i++)
        nodes[i] = above[levels - 1 - i];
    return levels;
}

/* The first of the parts that node or record `i` of `n` has, if they share `parts`. */
static int first_part(int i, int n, int parts) { return (long long)i * parts / n; }

int btree_nodes(int records, int order)
{
    int nodes[32], levels = tree_levels(records, order, nodes), sum = 0;

    for (int level = 0; level < levels; level++)
        sum += nodes[level];
    return sum;
}

/* The steps from the root to a leaf. */
int btree_height(int records, int order)
{
    int nodes[32];

    return tree_levels(records, order, nodes) - 1;
}

/* Builds a tree for keys that rise, level by level. A node is its place, the places of what is below it, keys, whether it is a
 * leaf, and how many keys it has. What is below key i has no smaller one; the first key is below all, the last above. */
void btree_build(const int *keys, int records, int order, int *tree)
{
    int nodes[32], levels = tree_levels(records, order, nodes), node = 0;

    for (int level = 0, below = 1; level < levels; level++) {
        int leaf = level == levels - 1, parts = leaf ? records : nodes[level + 1];
        for (int i = 0; i < nodes[level]; i++, node++) {
            int *places = tree + node * (2 * order + 5) + 1, *bounds = places + order + 1;
            int first = first_part(i, nodes[level], parts), count = first_part(i + 1, nodes[level], parts) - first;
            for (int key = 0; key <= order; key++)
                bounds[key] = key ? INT_MAX : INT_MIN;
            for (int part = 0; part < count; part++) {
                int smallest = first + part;
                for (int under = level + 1; under < levels; under++)
                    smallest = first_part(smallest, nodes[under], under == levels - 1 ? records : nodes[under + 1]);
                places[part + leaf] = leaf ? first + part : below + first + part;
                if (part + leaf)
                    bounds[part + leaf] = keys[smallest];
            }
            places[-1] = node;
            bounds[order + 1] = leaf;
            bounds[order + 2] = count + 1 + leaf;
        }
        below += parts;
    }
}

/* The place of a key among keys that rise, or -1. */
static int place_of(const int *keys, int count, int key)
{
    int low = 0;

    for (int high = count; low < high;) {
        int middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && keys[low] == key ? low : -1;
}

/* The value of a record is its key. */
void btree_search(const int *keys, int count, const int *wanted, int searches, int *values)
{
    for (int i = 0; i < searches; i++)
        values[i] = place_of(keys, count, wanted[i]) < 0 ? -1 : wanted[i];
}

/* The place of the first key, or 0 if it is not there, and the records from that to the last key, or 0 if that is not there. */
void btree_ranges(const int *keys, int count, const int *starts, const int *ends, int ranges, int *places, int *lengths)
{
    for (int i = 0; i < ranges; i++) {
        int first = place_of(keys, count, starts[i]), last = place_of(keys, count, ends[i]);
        places[i] = first < 0 ? 0 : first;
        lengths[i] = last < 0 ? 0 : last - places[i] + 1;
    }
}

/* What each `part` inputs give to each neuron. Input 0 is for the bias, and neuron 0 is none. */
void backprop_sums(const float *inputs, const float *weights, int count, int neurons, int part, float *sums)
{
    for (int first = 1; first <= count; first += part)
        for (int neuron = 1; neuron <= neurons; neuron++) {
            double sum = 0;
            for (int i = first; i < first + part; i++)
                sum += (double)inputs[i] * weights[i * (neurons + 1) + neuron];
            *sums++ = sum;
        }
}

/* A step down the error of each neuron, with 0.3 of the last step. */
void backprop_adjust(const float *inputs, const float *errors, int count, int neurons, float *weights, float *changes)
{
    for (int i = 0; i <= count; i++)
        for (int neuron = 1; neuron <= neurons; neuron++) {
            int weight = i * (neurons + 1) + neuron;
            double change = 0.3 * errors[neuron] * inputs[i] + 0.3 * changes[weight];
            weights[weight] += change;
            changes[weight] = change;
        }
}

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

/* A mesh of cubes of six tetrahedra: each goes from the low corner of its cube to the high one along the axes in another order.
 * It has a face opposite to each of its four corners, with the element behind it, -1 for the wall below all cubes, or -2 for
 * any other side, and with a normal that points inwards. Elements behind the last one are the same as that. */
void cfd_mesh(int cubes_x, int cubes_y, int cubes_z, const float *shifts, const int *swaps, int padded, float *volumes,
              int *neighbours, float *normals)
{
    const int cubes[3] = {cubes_x, cubes_y, cubes_z};
    int count = 6 * cubes_x * cubes_y * cubes_z, *places = (int *)malloc(count * sizeof *places);

    for (int i = 0; i < count; i++)
        places[i] = i;
    for (int i = 0; i < count; i++) {
        int place = places[i];
        places[i] = places[swaps[i]];
        places[swaps[i]] = place;
    }
    for (int i = 0; i < count; i++) {
        const int cube[3] = {i / 6 % cubes_x, i / 6 / cubes_x % cubes_y, i / 6 / cubes_x / cubes_y};
        const int first = i % 6 / 2, second = (first + 1 + i % 2) % 3, axes[3] = {first, second, 3 - first - second};
        double corners[4][3], normal[3];
        for (int corner = 0; corner < 4; corner++) {
            int at[3] = {cube[0], cube[1], cube[2]};
            for (int axis = 0; axis < corner; axis++)
                at[axes[axis]]++;
            for (int axis = 0; axis < 3; axis++)
                corners[corner][axis] =
                    at[axis] + shifts[3 * ((at[2] * (cubes_y + 1) + at[1]) * (cubes_x + 1) + at[0]) + axis];
        }
        for (int face = 0; face < 4; face++) {
            /* Opposite to the first or last corner is another cube, else the same one. The order of the axes is another. */
            int at[3] = {cube[0], cube[1], cube[2]}, outside = 0, place = face * padded + places[i];
            int from = face == 0 ? axes[1] : face == 3 ? axes[2] : face == 1 ? axes[1] : axes[0];
            int then = face == 0 ? axes[2] : face == 3 ? axes[0] : face == 1 ? axes[0] : axes[2];
            at[axes[face == 3 ? 2 : 0]] += face == 0 ? 1 : face == 3 ? -1 : 0;
            for (int axis = 0; axis < 3; axis++)
                outside |= at[axis] < 0 || at[axis] >= cubes[axis];
            int behind = 6 * ((at[2] * cubes_y + at[1]) * cubes_x + at[0]) + 2 * from + (then - from + 3) % 3 - 1;
            neighbours[place] = !outside ? places[behind] : at[2] < 0 ? -1 : -2;
            normal_towards(corners[face ^ 1], corners[face ^ 2], corners[face ^ 3], corners[face], normal);
            for (int axis = 0; axis < 3; axis++)
                normals[4 * axis * padded + place] = normal[axis];
        }
        volumes[places[i]] = 0;
        for (int axis = 0; axis < 3; axis++)
            volumes[places[i]] += normal[axis] * (corners[3][axis] - corners[0][axis]) / 3;
    }
    for (int i = count; i < padded; i++) {
        volumes[i] = volumes[count - 1];
        for (int face = 0; face < 4; face++)
            neighbours[face * padded + i] = neighbours[face * padded + count - 1];
        for (int part = 0; part < 12; part++)
            normals[part * padded + i] = normals[part * padded + count - 1];
    }
    free(places);
}

/* The pressure of a gas of density, momentum in three directions, and energy. */
static double pressure_of(const double *gas)
{
    return 0.4 * (gas[4] - (gas[1] * gas[1] + gas[2] * gas[2] + gas[3] * gas[3]) / (2 * gas[0]));
}

/* How fast news travel in it: by its own speed and that of sound. */
static double speed_of(const double *gas)
{
    return (sqrt(gas[1] * gas[1] + gas[2] * gas[2] + gas[3] * gas[3]) + sqrt(1.4 * pressure_of(gas) * gas[0])) / gas[0];
}

/* What of one of its five variables flows along a normal. */
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

/* What flows into an element, with some viscosity between neighbours. A wall gives nothing but its pressure. */
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

/* Steps of Runge-Kutta, three of which go a fourth, a third and a half of the way from where they began, at first with the gas
 * far away. They leave the variables in one array and the next three in the other. */
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
