/* Divergence of every shape: nested if/else, loops whose trip counts differ from lane to lane, a loop inside a
 * branch, a branch inside a loop, and a call made by some lanes only. */
#include "simt.h"

extern const uint32_t values[N];
SIMT_OUTPUT uint32_t classes[N], lengths[N], mixed[N];

/* Steps of the Collatz sequence down to 1: trip counts from 0 to over a hundred. */
SIMT_FUNCTION static uint32_t collatz_length(uint32_t value)
{
    uint32_t steps = 0;

    SIMT_WHILE (value != 1) {
        value = simt_select(value & 1, 3 * value + 1, value >> 1);
        steps++;
    } SIMT_WHILE_END
    return steps;
}

/* Eight ways through three levels. Each side writes to the variable by another operation, so that a lane that
 * took part in the wrong side cannot end up with the right value. */
SIMT_FUNCTION static uint32_t classify(uint32_t value)
{
    uint32_t class = value;

    SIMT_IF_ELSE (value & 1) {
        class += 100;
        SIMT_IF_ELSE (value & 2) {
            class ^= 0x1000;
            SIMT_IF_ELSE (value & 4) {
                class *= 3;
            } SIMT_ELSE {
                class -= 7;
            } SIMT_END
        } SIMT_ELSE {
            class *= 5;
            SIMT_IF (value & 4) {
                class += 11;
            } SIMT_END
        } SIMT_END
    } SIMT_ELSE {
        class = ~class;
        SIMT_IF (value & 2) {
            SIMT_IF_ELSE (value & 4) {
                class <<= 2;
            } SIMT_ELSE {
                class ^= 0x55;
            } SIMT_END
            class += 1;
        } SIMT_END
    } SIMT_END
    return class;
}

/* A divergent loop inside a divergent branch, with a divergent branch inside. */
SIMT_FUNCTION static uint32_t mix(uint32_t value)
{
    uint32_t result = 0;

    SIMT_IF_ELSE (value % 3 != 0) {
        uint32_t trips = value & 15;
        SIMT_WHILE (trips != 0) {
            SIMT_IF_ELSE (trips & value) {
                result += collatz_length(trips);
            } SIMT_ELSE {
                result ^= trips << 4;
            } SIMT_END
            trips--;
        } SIMT_WHILE_END
    } SIMT_ELSE {
        result = value / 3;
    } SIMT_END
    return result;
}

static void task(uint32_t i, void *unused)
{
    (void)unused;
    uint32_t value = values[i];

    classes[i] = classify(value);
    lengths[i] = collatz_length(value);
    mixed[i] = mix(value);
}

int main(void)
{
    simt_spawn(N, task, 0);
    return 0;
}
