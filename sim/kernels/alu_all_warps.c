/* Independent additions in every warp at once, from a common barrier on: how full are the issue slots? */
#include "measure.h"

MEASURE_ALL_WARPS(8, (void)0,
                  "add t0, %0, %1\n sub t1, %0, %1\n xor t2, %0, %1\n and t3, %0, %1\n"
                  "or t4, %0, %1\n sll t5, %0, %1\n srl t6, %0, %1\n addi a5, %0, 5",
                  "r"(0x80000123), "r"(7) : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a5")
