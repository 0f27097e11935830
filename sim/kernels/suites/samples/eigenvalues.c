/* The eigenvalues that NVIDIA's sample of that name should find. */
#include <math.h>

/* How many eigenvalues a matrix with three diagonals has below a number: as many as Gauss's elimination has negative pivots. */
static int eigenvalues_below(const float *diagonal, const float *beside, int side, double number)
{
    double pivot = 1;
    int count = 0;

    for (int i = 0; i < side; i++) {
        pivot = diagonal[i] - number - beside[i] * (double)beside[i] / pivot;
        count += pivot < 0;
    }
    return count;
}

/* All eigenvalues are within Gershgorin's discs: where those end on one side, and a bit more. */
float gershgorin(const float *diagonal, const float *beside, int side, int sign)
{
    double end = 0;

    for (int i = 0; i < side; i++)
        end = fmax(end, sign * diagonal[i] + fabs(beside[i]) + (i + 1 < side ? fabs(beside[i + 1]) : 0));
    return sign * (end + 1e-4);
}

/* An interval is halved again and again. Where both halves have eigenvalues, the upper one gets a place of its own behind those
 * that there are. At the end each interval has one eigenvalue, and how many are smaller. */
void bisect_eigenvalues(const float *diagonal, const float *beside, int side, float *values, unsigned *order)
{
    struct {
        double low, high;
        int before, end;
    } parts[side];
    int count = 1;

    parts[0] = {gershgorin(diagonal, beside, side, -1), gershgorin(diagonal, beside, side, 1), 0, side};
    for (int halvings = 0; halvings < 50; halvings++)
        for (int i = 0, all = count; i < all; i++) {
            auto lower = parts[i], upper = parts[i];

            lower.high = upper.low = (parts[i].low + parts[i].high) / 2;
            lower.end = upper.before = eigenvalues_below(diagonal, beside, side, lower.high);
            parts[i] = lower.end > lower.before ? lower : upper;
            if (lower.end > lower.before && upper.end > upper.before)
                parts[count++] = upper;
        }
    for (int i = 0; i < side; i++) {
        values[i] = parts[i].low;
        order[i] = parts[i].before;
    }
}
