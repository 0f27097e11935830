/* Independent fused multiply-adds in every warp at once, from a common barrier on. */
#include "measure.h"

MEASURE_ALL_WARPS(8, (void)0,
                  "fmadd.s ft0, %0, %1, %2\n fmadd.s ft1, %0, %1, %2\n"
                  "fmadd.s ft2, %0, %1, %2\n fmadd.s ft3, %0, %1, %2\n"
                  "fmadd.s ft4, %0, %1, %2\n fmadd.s ft5, %0, %1, %2\n"
                  "fmadd.s ft6, %0, %1, %2\n fmadd.s ft7, %0, %1, %2",
                  "f"(1.5f), "f"(-2.25f), "f"(3.0f)
                  : "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7")
