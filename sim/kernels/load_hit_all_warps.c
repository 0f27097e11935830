/* Independent loads in every warp at once, from two lines a warp that the first of the two runs brings into the
 * data cache; of more than 32 warps two share theirs. */
#include "measure.h"

static uint32_t words[32 * 64] __attribute__((aligned(64)));

MEASURE_ALL_WARPS(8, uint32_t *mine = &words[simt_warp() % 32 * 64 + simt_lane()],
                  "lw t0, 0(%0)\n lw t1, 0(%0)\n lw t2, 128(%0)\n lw t3, 128(%0)\n"
                  "lw t4, 0(%0)\n lw t5, 128(%0)\n lw t6, 0(%0)\n lw a5, 128(%0)",
                  "r"(mine) : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a5", "memory")
