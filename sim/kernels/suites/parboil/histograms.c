/* What the kernels of Parboil should count (tpacf, histo), written from what each is for. */
#include <math.h>
#include <string.h>

/* Points of the unit sphere, from their angles in degrees. */
void tpacf_places(const float *apart, const float *around, float *x, float *y, float *z, int count)
{
    for (int i = 0; i < count; i++) {
        double pole = apart[i] * acos(-1) / 180, axis = around[i] * acos(-1) / 180;
        x[i] = sin(pole) * cos(axis);
        y[i] = sin(pole) * sin(axis);
        z[i] = cos(pole);
    }
}

/* How many pairs of points are between each two bounds, which are cosines of their angle: pairs in each set, of which the first
   is the data, then pairs of the data with each other set. */
void tpacf_counts(const float *x, const float *y, const float *z, int points, int sets, const float *bounds, int bins,
                  unsigned *counts)
{
    memset(counts, 0, (1 + 2 * sets) * bins * sizeof *counts);
    for (int which = 0; which <= 2 * sets; which++, counts += bins) {
        int one = which <= sets ? which : 0, other = which <= sets ? which : which - sets;
        for (int i = one * points; i < (one + 1) * points; i++)
            for (int j = one == other ? i + 1 : other * points; j < (other + 1) * points; j++) {
                float cosine = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
                for (int bin = 0; bin < bins; bin++)
                    counts[bin] += cosine < bounds[bin] && cosine >= bounds[bin + 1];
            }
    }
}

/* The first range of 8192 values that is counted in local memory (side -1), or the last (side 1). Each block takes the first
   eighth of its part of the image, in 512 groups. Its end is the mean of their means, less or more ten times the mean of their
   deviations. The outermost end of all blocks counts. */
unsigned histo_end(const unsigned *image, int count, int blocks, int side)
{
    unsigned end = 0;

    for (int block = 0; block < blocks; block++) {
        const unsigned *part = image + block * (count / blocks);
        int taken = count / blocks / 8;
        double means = 0, deviations = 0;
        for (int group = 0; group < 512; group++) {
            double sum = 0, squares = 0;
            int n = 0;
            for (int i = group; i < taken; i += 512, n++)
                sum += part[i];
            for (int i = group; i < taken; i += 512)
                squares += (part[i] - sum / n) * (part[i] - sum / n);
            means += sum / n / 512;
            deviations += sqrt(squares / n) / 512;
        }
        unsigned range = (unsigned)(means + side * 10 * deviations) / 8192;
        if (block == 0 || (side < 0 ? range < end : range > end))
            end = range;
    }
    return end;
}

void histo_ends(const unsigned *image, int count, int blocks, unsigned *range)
{
    range[0] = histo_end(image, count, blocks, -1);
    range[1] = histo_end(image, count, blocks, 1);
}

/* Counts stop at 255. */
void histo_counts(const unsigned *image, int count, unsigned char *counts, int bins)
{
    memset(counts, 0, bins);
    for (int i = 0; i < count; i++)
        counts[image[i]] += counts[image[i]] < 255;
}
