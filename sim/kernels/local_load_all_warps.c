/* Independent loads from local memory in every warp at once, a bank a lane. */
#include "measure.h"

MEASURE_ALL_WARPS(8, const uint32_t *mine = (const uint32_t *)simt_local_memory() + simt_lane(),
                  "lw t0, 0(%0)\n lw t1, 0(%0)\n lw t2, 0(%0)\n lw t3, 0(%0)\n"
                  "lw t4, 0(%0)\n lw t5, 0(%0)\n lw t6, 0(%0)\n lw a5, 0(%0)",
                  "r"(mine) : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a5", "memory")
