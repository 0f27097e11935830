/* What the kernels of Rodinia should compute, written from what each is for, in the plainest way that computes it. */
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
