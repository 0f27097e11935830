/* What those of NVIDIA's samples compute on images and signals that have no function of their own for it. */
#include <math.h>
#include <stdlib.h>

static double cosine(int frequency, int place)
{
    return (frequency ? 0.5 : sqrt(0.125)) * cos((2 * place + 1) * frequency * M_PI / 16);
}

/* The discrete cosine transform of each square of 8 x 8, or its inverse. */
static void cosine_transform(const float *from, float *to, int width, int height, int back)
{
    for (int i = 0; i < width * height; i++) {
        int x = i % width, y = i / width;
        const float *square = from + y / 8 * 8 * width + x / 8 * 8;
        double sum = 0;

        for (int k = 0; k < 64; k++) {
            double weight = back ? cosine(k % 8, x % 8) * cosine(k / 8, y % 8) : cosine(x % 8, k % 8) * cosine(y % 8, k / 8);

            sum += weight * square[k / 8 * width + k % 8];
        }
        to[i] = sum;
    }
}

/* Transforms an image and back. Between that, coefficients are rounded to multiples of a number for each place in a square. */
void dct_and_back(float *image, float *coefficients, const short *quanta, int width, int height)
{
    cosine_transform(image, coefficients, width, height, 0);
    for (int i = 0; i < width * height; i++) {
        int quantum = quanta[i / width % 8 * 8 + i % width % 8];

        coefficients[i] = round(coefficients[i] / quantum) * quantum;
    }
    cosine_transform(coefficients, image, width, height, 1);
}

/* The differences of pairs, then of the pairs of their sums, and so on, all divided by the root of 2. Where there are n pairs,
 * their differences begin at n. When so many sums are left as there are parts, each is that of a part. */
void haar(const float *signal, float *details, int length, float *sums, int parts)
{
    double *values = (double *)malloc(length * sizeof *values);

    for (int i = 0; i < length; i++)
        values[i] = signal[i];
    for (int pairs = length / 2; pairs; pairs /= 2)
        for (int i = 0; i < pairs; i++) {
            double left = values[2 * i], right = values[2 * i + 1];

            details[pairs + i] = (left - right) / sqrt(2);
            values[i] = (left + right) / sqrt(2);
            if (pairs == parts)
                sums[i] = values[i];
        }
    details[0] = values[0];
    free(values);
}

static int within(int place, int length)
{
    return place < 0 ? 0 : place < length ? place : length - 1;
}

/* The mean of a window around each place of an image. Beyond an edge there is what is at the edge. */
void window_means(const float *image, float *means, int width, int height, int radius_x, int radius_y)
{
    for (int i = 0; i < width * height; i++) {
        double sum = 0;

        for (int y = -radius_y; y <= radius_y; y++)
            for (int x = -radius_x; x <= radius_x; x++)
                sum += image[within(i / width + y, height) * width + within(i % width + x, width)];
        means[i] = sum / ((2 * radius_x + 1) * (2 * radius_y + 1));
    }
}

/* The weights of Deriche's filter, which is close to a Gaussian. Forth: of a place, and of the one before it. Back: of the two
 * places that came before. For both: of the last two results. At the end what becomes of a constant 1, forth and back. */
void blur_weights(float *weights, double sigma)
{
    double alpha = 1.695 / sigma, decay = exp(-alpha);
    double scale = (1 - decay) * (1 - decay) / (1 + 2 * alpha * decay - decay * decay);

    weights[0] = scale;
    weights[1] = scale * (alpha - 1) * decay;
    weights[2] = scale * (alpha + 1) * decay;
    weights[3] = -scale * decay * decay;
    weights[4] = -2 * decay;
    weights[5] = decay * decay;
    weights[6] = (weights[0] + weights[1]) / (1 + weights[4] + weights[5]);
    weights[7] = (weights[2] + weights[3]) / (1 + weights[4] + weights[5]);
}

static unsigned to_byte(float value)
{
    return fminf(fmaxf(value, 0), 1) * 255.0f;
}

/* A line of bytes, `apart` from one another. Results are rounded to bytes, so it computes in single precision, as the kernel. */
static void blur_line(unsigned char *line, int count, int apart, const float *weights)
{
    float in[count], out[count], past = 0, older = 0;

    for (int i = 0; i < count; i++)
        in[i] = line[i * apart] / 255.0f;
    for (int i = 0; i < count; i++) {
        if (i == 0)
            past = older = weights[6] * in[0];
        out[i] = weights[0] * in[i] + weights[1] * in[i ? i - 1 : 0] - weights[4] * past - weights[5] * older;
        older = past, past = out[i];
        line[i * apart] = to_byte(out[i]);
    }
    past = older = weights[7] * in[count - 1];
    for (int i = count - 1; i >= 0; i--) {
        float next = in[i + 1 < count ? i + 1 : count - 1], second = in[i + 2 < count ? i + 2 : count - 1];
        float value = weights[2] * next + weights[3] * second - weights[4] * past - weights[5] * older;

        older = past, past = value;
        line[i * apart] = to_byte(line[i * apart] / 255.0f + value);
    }
}

/* Columns, then rows, each of four channels on its own. */
void blur(const unsigned *image, unsigned *blurred, int width, int height, const float *weights)
{
    unsigned char *bytes = (unsigned char *)blurred;

    for (int i = 0; i < width * height; i++)
        blurred[i] = image[i];
    for (int i = 0; i < 4 * width; i++)
        blur_line(bytes + i, height, 4 * width, weights);
    for (int i = 0; i < 4 * height; i++)
        blur_line(bytes + i / 4 * 4 * width + i % 4, width, 4, weights);
}

/* Places are colored by how many steps it takes until they are more than 2 away from 0. One bit decides what becomes of them in
 * the end, so it computes in single precision, as the kernel. */
void mandelbrot(uchar4 *image, int width, int height, int limit, float left, float top, float apart)
{
    for (int i = 0; i < width * height; i++) {
        float start_x = i % width * apart + left, start_y = i / width * apart + top, x = 0, y = 0;
        int steps = 1;

        for (; steps < limit && x * x + y * y <= 4; steps++) {
            float real = x * x - y * y + start_x;

            y = 2 * x * y + start_y;
            x = real;
        }
        steps %= limit;
        image[i] = uchar4{(unsigned char)(3 * steps), (unsigned char)(5 * steps), (unsigned char)(7 * steps), 0};
    }
}
