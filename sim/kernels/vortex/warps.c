/* Masks, divergence, warps, barriers, thread-local variables and printing: each part checks itself. */
#include "gpu.h"

/* Runs in lanes that have just been woken, whose registers hold anything: no arguments, no copies. */
#define PART __attribute__((noinline, noclone))

uint32_t marks[32];
volatile uint32_t spins;
__thread uint32_t mine = 77, cleared;

static uint32_t lanes_mask(uint32_t lanes) { return lanes < 32 ? (1u << lanes) - 1 : (uint32_t)-1; }

/* How many of the first `count` marks are not `base + i`. */
static uint32_t wrong(uint32_t base, uint32_t count)
{
    uint32_t errors = 0;
    for (uint32_t i = 0; i < count; i++)
        errors += marks[i] != base + i;
    for (uint32_t i = 0; i < 32; i++)
        marks[i] = 0;
    return errors;
}

static PART void mark_lane(void) { marks[READ(LANE)] = 100 + READ(LANE); }

static PART void mark_but_the_first(void)
{
    uint32_t lane = READ(LANE);
    pred(lane >= 1, 0); /* with a single lane none is left: the warp would end */
    marks[lane] = 200 + lane;
    tmc(lanes_mask(READ(LANES))); /* what main holds in registers, it holds in lane 0 */
}

static PART void mark_the_first(void)
{
    pred(READ(LANE) == 99, 1); /* no lane: the mask is the register's */
    marks[READ(LANE)] = 200;
}

/* Splits one lane off in each step: as deep as the divergence stack can be. */
static PART void climb(uint32_t lanes)
{
    uint32_t lane = READ(LANE), below = lane < lanes - 1, token = split(below);

    if (below)
        climb(lanes - 1);
    else
        marks[lane] += 300 + lane;
    join(token);
}

static PART void climb_all(void) { climb(READ(LANES)); }

static PART void both_sides(void)
{
    uint32_t lane = READ(LANE), odd = lane & 1, token = split_not(odd);
    if (odd)
        marks[lane] = 401 + lane - 1;
    else
        marks[lane] = 400 + lane;
    join(token);
    token = split(1); /* uniform: nothing is pushed */
    marks[lane] += 100;
    join(token);
}

static void mark_warp(void)
{
    marks[READ(WARP)] = 600 + READ(WARP);
    tmc(READ(WARP) == 0);
}

static void meet(void)
{
    uint32_t warp = READ(WARP), warps = READ(WARPS);
    for (uint32_t i = 0; i < 40 * warp; i++)
        spins = i;
    marks[warp] = 1;
    barrier(0, warps);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < warps; i++)
        sum += marks[i];
    barrier(0, warps); /* the same barrier again */
    marks[warp] = 700 + warp + sum - warps;
    tmc(warp == 0);
}

static void mark_own(void)
{
    uint32_t warp = READ(WARP), ok = mine == 77 && cleared == 0;
    mine = warp;
    barrier(1, READ(WARPS));
    marks[warp] = 800 + mine - !ok;
    mine = 77;
    tmc(warp == 0);
}

static PART void greet(void) { print("lane ", READ(LANE)); }

static uint32_t part(uint32_t number, uint32_t errors)
{
    if (errors)
        print("wrong part ", number);
    return errors;
}

int main(void)
{
    uint32_t lanes = READ(LANES), warps = READ(WARPS), all = lanes_mask(lanes), errors = 0;

    tmc(all); mark_lane(); tmc_one();
    errors += part(1, wrong(100, lanes));
    if (lanes > 1) {
        tmc(all);
        mark_but_the_first();
        tmc_one();
    }
    tmc(all); mark_the_first(); tmc_one();
    errors += part(2, wrong(200, lanes));
    tmc(all); climb_all(); tmc_one();
    errors += part(3, wrong(300, lanes));
    tmc(all); both_sides(); tmc_one();
    errors += part(4, wrong(500, lanes));
    wspawn(warps, mark_warp); mark_warp(); wspawn(1, 0);
    errors += part(5, wrong(600, warps));
    wspawn(warps, meet); meet(); wspawn(1, 0);
    errors += part(6, wrong(700, warps));
    wspawn(warps, mark_own); mark_own(); wspawn(1, 0);
    errors += part(7, wrong(800, warps));
    tmc(all); greet(); tmc_one();
    return errors;
}
