/* What Rodinia's kernels on points should compute (kmeans, nn, streamcluster, lavaMD), written from what each is for. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The cluster whose center is closest to each point. */
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

/* A Point as the core has it, where a pointer and `long` have 32 bits. No kernel uses the pointer. */
typedef struct {
    float weight;
    unsigned coordinates;
    int center;
    float cost;
} streamcluster_point;

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

/* The nearest center of a point, if the last one of each `space` points is a center. */
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

/* Gives each point its center, and what it costs there: the square of its distance, by its weight. */
void streamcluster_assign(const float *coordinates, streamcluster_point *points, int count, int dimensions, int space)
{
    for (int i = 0; i < count; i++) {
        points[i].center = nearest_center(coordinates, count, dimensions, space, i);
        points[i].cost = points[i].weight * squared_distance(coordinates, count, dimensions, i, points[i].center);
    }
}

/* A row for each candidate and point. What the point saves by going to the candidate is in the last place of the row; or else
 * what it loses by that is in the place of its center. Both are stored below 0. Behind the rows of each candidate there is one
 * of zeros. */
void streamcluster_costs(const float *coordinates, const streamcluster_point *points, int count, int dimensions, int space,
                         int candidates, float *costs, bool *switches)
{
    int centers = count / space;

    for (int candidate = 0; candidate < candidates; candidate++)
        for (int i = 0; i < count; i++) {
            float *row = costs + (candidate * (count + 1) + i) * (centers + 1);
            double there = points[i].weight * squared_distance(coordinates, count, dimensions, i, candidate);
            double gain = points[i].cost - there;
            switches[candidate * count + i] = gain > 0;
            row[gain > 0 ? centers : points[i].center / space] = -fabs(gain);
        }
}

/* A box_str and a dim_str as the core has them, where `long` has 32 bits. */
typedef struct {
    int x, y, z, number, first, around;
    struct {
        int x, y, z, number, first;
    } others[26];
} lavamd_box;

typedef struct {
    int options[4], boxes, bytes[4];
} lavamd_sizes;

/* Boxes side by side, with those around each. */
void lavamd_boxes(int boxes_x, int boxes_y, int boxes_z, int particles, lavamd_box *boxes)
{
    for (int i = 0; i < boxes_x * boxes_y * boxes_z; i++) {
        lavamd_box *box = &boxes[i];
        memset(box, 0, sizeof *box);
        box->x = i % boxes_x;
        box->y = i / boxes_x % boxes_y;
        box->z = i / boxes_x / boxes_y;
        box->number = i;
        box->first = i * particles;
        for (int other = 0; other < boxes_x * boxes_y * boxes_z; other++) {
            int x = other % boxes_x, y = other / boxes_x % boxes_y, z = other / boxes_x / boxes_y;
            if (other == i || abs(x - box->x) > 1 || abs(y - box->y) > 1 || abs(z - box->z) > 1)
                continue;
            box->others[box->around].x = x;
            box->others[box->around].y = y;
            box->others[box->around].z = z;
            box->others[box->around].number = other;
            box->others[box->around++].first = other * particles;
        }
    }
}

/* The potential of each particle and the forces on it, by those in its own box and in the boxes around it. They fall off as a
 * bell. A particle is four numbers. The distance of two is the sum of their first numbers, less the products of the others: half
 * the square of the real distance, if the first were half the square of the length of the rest. But it may be any number. */
void lavamd_forces(int boxes_x, int boxes_y, int boxes_z, int particles, double alpha, const float *places, const float *charges,
                   float *forces)
{
    for (int i = 0; i < boxes_x * boxes_y * boxes_z * particles; i++) {
        int box = i / particles, x = box % boxes_x, y = box / boxes_x % boxes_y, z = box / boxes_x / boxes_y;
        const float *here = &places[4 * i];
        double sums[4] = {0, 0, 0, 0};
        for (int j = 0; j < boxes_x * boxes_y * boxes_z * particles; j++) {
            int other = j / particles;
            const float *there = &places[4 * j];
            if (abs(other % boxes_x - x) > 1 || abs(other / boxes_x % boxes_y - y) > 1 || abs(other / boxes_x / boxes_y - z) > 1)
                continue;
            double distance = (double)here[0] + there[0];
            for (int axis = 1; axis < 4; axis++)
                distance -= (double)here[axis] * there[axis];
            double potential = charges[j] * exp(-2 * alpha * alpha * distance);
            sums[0] += potential;
            for (int axis = 1; axis < 4; axis++)
                sums[axis] += 2 * potential * (here[axis] - there[axis]);
        }
        for (int k = 0; k < 4; k++)
            forces[4 * i + k] = sums[k];
    }
}
