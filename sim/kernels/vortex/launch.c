/* Launching tasks and groups, and printing: what a program for Vortex brings along. */
#include "gpu.h"

struct index grid_size, block_size;
uint32_t warps_per_group;
__thread struct index block, thread;
__thread uint32_t local_group;

/* What all warps of a launch read, by way of mscratch. */
struct work {
    task_function *function;
    void *arg;
    uint32_t batches, extra, whole, groups_at_once, last_mask, count;
};

static void locate(struct index *at, uint32_t number, struct index size)
{
    at->x = number % size.x;
    at->y = number / size.x % size.y;
    at->z = number / (size.x * size.y);
}

/* Each warp takes consecutive slices of tasks, one task a lane. */
static void __attribute__((noinline)) run_tasks(void)
{
    struct work *work = (struct work *)READ(MSCRATCH);
    uint32_t warp = READ(WARP), lanes = READ(LANES);
    uint32_t before = warp * work->batches + (warp < work->extra ? warp : work->extra);
    uint32_t slices = work->batches + (warp < work->extra);

    local_group = 0;
    thread = (struct index){0, 0, 0};
    for (uint32_t i = 0; i < slices; i++) {
        locate(&block, (before + i) * lanes + READ(LANE), grid_size);
        work->function(work->arg);
    }
}

/* The tasks that are too few for all lanes of a warp. */
static void __attribute__((noinline)) run_rest(void)
{
    struct work *work = (struct work *)READ(MSCRATCH);

    local_group = 0;
    thread = (struct index){0, 0, 0};
    locate(&block, work->whole + READ(LANE), grid_size);
    work->function(work->arg);
}

static void run_tasks_and_end(void)
{
    tmc(-1);
    run_tasks();
    tmc(0);
}

/* The groups of warps take the blocks in turn. */
static void __attribute__((noinline)) run_groups(void)
{
    struct work *work = (struct work *)READ(MSCRATCH);
    uint32_t warp = READ(WARP), rank;

    local_group = warp / warps_per_group;
    rank = (warp - local_group * warps_per_group) * READ(LANES) + READ(LANE);
    locate(&thread, rank, block_size);
    for (uint32_t i = local_group; i < work->count; i += work->groups_at_once) {
        locate(&block, i, grid_size);
        work->function(work->arg);
    }
}

static void run_groups_and_end(void)
{
    struct work *work = (struct work *)READ(MSCRATCH);

    tmc(READ(WARP) % warps_per_group == warps_per_group - 1 ? work->last_mask : (uint32_t)-1);
    run_groups();
    tmc(READ(WARP) == 0);
}

int launch(struct index grid, struct index per_block, task_function *function, void *arg)
{
    uint32_t lanes = READ(LANES), warps = READ(WARPS);
    uint32_t count = grid.x * grid.y * grid.z, threads = per_block.x * per_block.y * per_block.z;
    struct work work = {function, arg, 0, 0, 0, 0, -1, count};

    if (threads > lanes * warps)
        return -1;
    grid_size = grid;
    block_size = per_block;
    warps_per_group = threads > 1 ? (threads + lanes - 1) / lanes : 0;
    WRITE(MSCRATCH, &work);
    if (threads > 1) {
        uint32_t rest = threads % lanes;
        work.groups_at_once = warps / warps_per_group;
        if (work.groups_at_once > count)
            work.groups_at_once = count;
        if (rest)
            work.last_mask = (1u << rest) - 1;
        wspawn(work.groups_at_once * warps_per_group, run_groups_and_end);
        run_groups_and_end();
    } else {
        uint32_t slices = count / lanes, rest = count % lanes, active = slices < warps ? slices : warps;
        work.whole = slices * lanes;
        if (slices) {
            work.batches = slices / active;
            work.extra = slices % active;
            wspawn(active, run_tasks_and_end);
            tmc(-1);
            run_tasks();
            tmc_one();
        }
        if (rest) {
            tmc((1u << rest) - 1);
            run_rest();
            tmc_one();
        }
    }
    wspawn(1, 0); /* until the other warps have ended */
    return 0;
}

struct line {
    const char *text;
    uint32_t value;
};

static void put(char c)
{
    *(volatile char *)(0x40 + (READ(HART) & 63)) = c;
}

static void print_line(void *arg)
{
    struct line *line = arg;
    const char *c = line->text;

    while (*c)
        put(*c++);
    for (int shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[line->value >> shift & 15]);
    put('\n');
}

/* Every lane prints its own line, one after the other. */
void print(const char *text, uint32_t value)
{
    struct line line = {text, value};

    lane_by_lane(print_line, &line);
}
