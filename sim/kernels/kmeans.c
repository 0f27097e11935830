/* Three rounds of k-means: each point finds its nearest centre (a point a task), then each coordinate of each
 * centre becomes the mean of its points (a coordinate a task). */
#include "simt.h"

#define FEATURES 4
#define CLUSTERS 5

extern const float points[N * FEATURES];
SIMT_OUTPUT float centres[CLUSTERS * FEATURES];
SIMT_OUTPUT uint32_t members[N];

static void begin(uint32_t i, void *unused)
{
    (void)unused;
    centres[i] = points[i / FEATURES % N * FEATURES + i % FEATURES];
}

static void assign(uint32_t i, void *unused)
{
    (void)unused;
    const float *point = &points[i * FEATURES];
    float nearest = __builtin_inff();
    uint32_t member = 0;

    for (uint32_t cluster = 0; cluster < CLUSTERS; cluster++) {
        float distance = 0;
        for (uint32_t f = 0; f < FEATURES; f++) {
            float difference = point[f] - centres[cluster * FEATURES + f];
            distance = simt_fma(difference, difference, distance);
        }
        if (distance < nearest) {
            member = cluster;
            nearest = distance;
        }
    }
    members[i] = member;
}

static void move(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t cluster = i / FEATURES, count = 0;
    const float *feature = &points[i % FEATURES];
    float sum = 0;

    for (uint32_t p = 0; p < N; p++, feature += FEATURES) {
        if (members[p] == cluster) {
            sum += *feature;
            count++;
        }
    }
    /* A centre without points stays. */
    if (count != 0)
        centres[i] = sum / (float)count;
}

int main(void)
{
    simt_spawn(CLUSTERS * FEATURES, begin, 0);
    for (int round = 0; round < 3; round++) {
        simt_spawn(N, assign, 0);
        simt_spawn(CLUSTERS * FEATURES, move, 0);
    }
    return 0;
}
