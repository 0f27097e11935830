/* Independent stores in every warp at once, into two lines a warp; of more than 32 warps two share theirs. */
#include "measure.h"

static uint32_t words[32 * 64] __attribute__((aligned(64)));

MEASURE_ALL_WARPS(8, uint32_t *mine = &words[simt_warp() % 32 * 64 + simt_lane()],
                  "sw x0, 0(%0)\n sw x0, 0(%0)\n sw x0, 128(%0)\n sw x0, 128(%0)\n"
                  "sw x0, 0(%0)\n sw x0, 128(%0)\n sw x0, 0(%0)\n sw x0, 128(%0)",
                  "r"(mine) : "memory")
