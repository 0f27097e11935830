/* What the kernels of Parboil for sgemm, mri-q, bfs, spmv and sad should compute, written from what each is for. */
#include <math.h>
#include <stdlib.h>

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

/* A sample has its place in three dimensions, and its magnitude. */
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

/* How many steps each node is away from node 0, or `far`. Of a node there are its first edge and the number of its edges, of an
   edge its end and its cost, which is 1. Nodes that were reached are black in the end, others white. */
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

/* From rows with `longest` places each to the JDS format, the longest rows first. The 32 rows of a warp are padded to the
   longest of them. Padding is 0, in the first column. */
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

/* How much blocks of 16 x 16 points differ, then those of 16 x 8 and so on, by sums over blocks of 4 x 4, which come last.
   Blocks of a kind of a macroblock are together, by rows. Each has `padded` numbers, of which those behind the first `places`
   are 0. */
void sad_sums(unsigned short *sads, int macroblocks, int places, int padded)
{
    static const int sizes[6][2] = {{4, 4}, {4, 2}, {2, 4}, {2, 2}, {2, 1}, {1, 2}};
    unsigned short *small = sads + 25 * macroblocks * padded;

    for (int kind = 0; kind < 6; kind++) {
        int width = sizes[kind][0], height = sizes[kind][1], count = 16 / (width * height);
        for (int i = 0; i < macroblocks * count * padded; i++) {
            int place = i % padded, block = i / padded % count, macroblock = i / padded / count;
            int x = block % (4 / width) * width, y = block / (4 / width) * height, sum = 0;
            for (int k = 0; k < width * height; k++)
                sum += small[(macroblock * 16 + (y + k / width) * 4 + x + k % width) * padded + place];
            sads[i] = place < places ? sum : 0;
        }
        sads += macroblocks * count * padded;
    }
}
