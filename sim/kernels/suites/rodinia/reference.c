/* What Rodinia's kernels for bfs, backprop, lud, gaussian and nw should compute, written from what each is for. */
#include <stdlib.h>
#include <string.h>

/* How many steps each node is away from node 0, or -1. Of a node there are its first edge and the number of its edges. Returns
 * how many rounds the kernels run, the last of which finds nothing. */
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

/* What each `part` inputs add to the sum of each neuron, by their weights. Input 0 is for the bias, which is not added here, and
 * there is no neuron 0. */
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

/* Each weight changes by 0.3 of its input times the error of its neuron, and by 0.3 of its last change. */
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

/* Factors a matrix into a lower and an upper one. The upper one is on and above the diagonal. The lower one is below it, and has
 * ones there. */
void lud_factors(float *matrix, int size)
{
    double *left = (double *)malloc(size * size * sizeof *left);

    for (int i = 0; i < size * size; i++)
        left[i] = matrix[i];
    for (int pivot = 0; pivot < size; pivot++)
        for (int row = pivot + 1; row < size; row++) {
            double factor = left[row * size + pivot] /= left[pivot * size + pivot];
            for (int column = pivot + 1; column < size; column++)
                left[row * size + column] -= factor * left[pivot * size + column];
        }
    for (int i = 0; i < size * size; i++)
        matrix[i] = left[i];
    free(left);
}

/* The same, with the lower matrix in an array of its own, without its ones, and what becomes of the right side. */
void gaussian_elimination(float *matrix, float *factors, float *right, int size)
{
    lud_factors(matrix, size);
    for (int row = 0; row < size; row++) {
        double value = right[row];
        for (int column = 0; column < row; column++) {
            factors[row * size + column] = matrix[row * size + column];
            matrix[row * size + column] = 0;
            value -= (double)factors[row * size + column] * right[column];
        }
        right[row] = value;
    }
}

/* The score at a place is the best of three: a match of both sequences, or a gap in one of them. The first row and column are
 * given. */
void nw_scores(const int *likeness, int *scores, int side, int penalty)
{
    for (int row = 1; row < side; row++)
        for (int column = 1; column < side; column++) {
            int here = row * side + column, best = scores[here - side - 1] + likeness[here];
            best = scores[here - 1] - penalty > best ? scores[here - 1] - penalty : best;
            best = scores[here - side] - penalty > best ? scores[here - side] - penalty : best;
            scores[here] = best;
        }
}
