/* Every thread leaves its mark; the first one greets. */
#include "simt.h"

#define MARK 0x48454C4FU /* "HELO" */

/* One word for each of the most threads a core can have. */
SIMT_OUTPUT uint32_t marks[64 * 32];

static void leave_mark(void *unused)
{
    (void)unused;
    marks[simt_thread()] = MARK ^ simt_thread();
}

int main(void)
{
    simt_run(simt_warps(), leave_mark, 0);
    simt_print("hello from ");
    simt_print_unsigned(simt_warps());
    simt_print(" warps of ");
    simt_print_unsigned(simt_lanes());
    simt_print(" lanes\n");
    return 0;
}
