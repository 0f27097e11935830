/* What Rodinia's kernels on grids should compute (hotspot, pathfinder, srad, leukocyte), written from what each is for. */
#include <stdlib.h>
#include <string.h>

/* The place itself, or the nearest one of `n`. */
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

/* Heat flows between neighbours, and to the air, which has 80 degrees. Beyond the edge it is as warm as at the edge. */
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

/* Costs of the first row become those of the last one. A place costs its own number and the least of the three costs above
 * it. */
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

/* Each pixel takes over some of the differences from its neighbours, less where they differ more than the whole image does. */
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

/* Pixels are in columns. Of each one, but for those near the border, the best of the circles around it: of the gradients at the
 * points of a circle, in the direction away from the pixel, the square of the mean divided by the variance. */
void leukocyte_scores(const float *gradients_x, const float *gradients_y, int height, int width, int border,
                      const int *circles_x, const int *circles_y, const float *sines, const float *cosines, int circles,
                      int points, float *scores)
{
    for (int i = 0; i < width * height; i++) {
        int x = i / height, y = i % height;
        if (x < border || y < border || x >= width - border || y >= height - border)
            continue;
        double best = 0;
        for (int circle = 0; circle < circles; circle++) {
            double sum = 0, squares = 0;
            for (int point = 0; point < points; point++) {
                int other = i + circles_x[circle * points + point] * height + circles_y[circle * points + point];
                double away = (double)gradients_x[other] * cosines[point] + (double)gradients_y[other] * sines[point];
                sum += away;
                squares += away * away;
            }
            double mean = sum / points, variance = (squares - sum * mean) / (points - 1);
            if (mean * mean / variance > best)
                best = mean * mean / variance;
        }
        scores[i] = best;
    }
}

/* The best score in a disk around each pixel. Scores are in columns, results in rows. */
void leukocyte_dilate(const float *scores, int height, int width, int radius, float *dilated)
{
    for (int i = 0; i < width * height; i++) {
        dilated[i] = 0;
        for (int other = 0; other < width * height; other++) {
            int x = other / height - i % width, y = other % height - i / width;
            if (x * x + y * y <= radius * radius && scores[other] > dilated[i])
                dilated[i] = scores[other];
        }
    }
}
