/* What the kernels of ISPASS-2009 for NQU, NN and bfs should compute, written from what each is for. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int threatened(unsigned columns, unsigned left, unsigned right) { return columns | left | right; }

/* All ways to fill the first rows: which columns have a queen, and which ones are threatened along either diagonal in the next
 * row. */
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

/* In how many ways the other rows can be filled. */
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

/* For each block of threads, in how many ways they can fill the other rows in all. */
void nqu_ways(int queens, const unsigned *columns, const unsigned *left, const unsigned *right, int count, int block,
              unsigned *sums)
{
    for (int i = 0; i < count; i++)
        sums[i / block] = (i % block ? sums[i / block] : 0) + ways(queens, columns[i], left[i], right[i]);
}

/* What a neuron makes of its sum. */
static double answer(double sum) { return 1.7159 * tanh(2.0 / 3 * sum); }

/* Each pixel of a new map comes from windows of 5 x 5 pixels of all maps. Windows are two pixels apart. The first weight of a
 * new map is added as it is; then come, for each place in the window, the weights of all maps. */
void nn_convolution(const float *from, const float *weights, float *to, int maps, int side, int new_maps, int new_side,
                    int images)
{
    for (int i = 0; i < images * new_maps * new_side * new_side; i++) {
        int x = i % new_side, y = i / new_side % new_side, map = i / new_side / new_side % new_maps;
        const float *image = from + i / new_side / new_side / new_maps * maps * side * side;
        const float *weight = weights + map * 26 * maps;
        double sum = *weight++;

        for (int place = 0; place < 25; place++)
            for (int k = 0; k < maps; k++)
                sum += image[(k * side + 2 * y + place / 5) * side + 2 * x + place % 5] * *weight++;
        to[i] = answer(sum);
    }
}

/* Each neuron sees all of the layer before. */
void nn_layer(const float *from, const float *weights, float *to, int count, int new_count, int images)
{
    for (int i = 0; i < images * new_count; i++) {
        const float *weight = weights + i % new_count * (count + 1);
        double sum = *weight++;

        for (int k = 0; k < count; k++)
            sum += from[i / new_count * count + k] * *weight++;
        to[i] = answer(sum);
    }
}

/* How many steps each node is away from node 0, or -1. Of a node there are its first edge and the number of its edges. Returns
 * how many rounds the kernels run, the last of which finds nothing. */
int bfs_levels(const int *nodes, const int *edges, int count, int *levels)
{
    int *found = (int *)malloc(count * sizeof *found), rounds = 0;

    for (int i = 0; i < count; i++)
        found[i] = i ? -1 : 0;
    for (bool more = true; more; rounds++) {
        more = false;
        for (int node = 0; node < count; node++)
            for (int i = 0; found[node] == rounds && i < nodes[2 * node + 1]; i++)
                if (found[edges[nodes[2 * node] + i]] < 0) {
                    found[edges[nodes[2 * node] + i]] = rounds + 1;
                    more = true;
                }
    }
    if (levels)
        memcpy(levels, found, count * sizeof *found);
    free(found);
    return rounds;
}

/* No node is left to step from, and those that were reached are known. */
void bfs_ends(const int *levels, bool *mask, bool *visited, int count)
{
    for (int i = 0; i < count; i++) {
        mask[i] = false;
        visited[i] = levels[i] >= 0;
    }
}
