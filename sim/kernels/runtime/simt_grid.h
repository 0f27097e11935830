/* Kernels that the core's dispatcher starts, block by block (docs/ISA.md, section 7.1).
 *
 * A file has one entry or more, each written from the point of view of one thread:
 *
 *     SIMT_KERNEL(add)
 *     {
 *         uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
 *         if (i < N)
 *             c[i] = a[i] + b[i];
 *     }
 *
 * The first is where the file starts unless the launch names another. The word that the launch passes is `arg`. No
 * code runs before the blocks do: variables begin with what the file holds, zeros included. The rules of simt.h hold.
 */
#ifndef SIMT_GRID_H
#define SIMT_GRID_H

#include "simt.h"
#include "stack.h"

struct simt_place {
    uint32_t x, y, z;
};

/* Each of these costs a CSR read for the members that are used, and nothing for the others. */
#define threadIdx SIMT_PLACE(0xcd3, 0xcd4, 0xcd5)
#define blockIdx SIMT_PLACE(0xcd6, 0xcd7, 0xcd8)
#define blockDim SIMT_PLACE(0xcd9, 0xcda, 0xcdb)
#define gridDim SIMT_PLACE(0xcdc, 0xcdd, 0xcde)
#define SIMT_PLACE(x, y, z)                                                     \
    ((struct simt_place){SIMT_READ_CSR(x), SIMT_READ_CSR(y), SIMT_READ_CSR(z)})

/* Variables in the local memory of the block, undefined at its start. The launch says how many bytes there are, which
 * may be fewer than are declared if the rest is not used; `sim` without --cta-local takes what is declared. */
#define SIMT_SHARED __attribute__((section(".shared")))

/* Waits for all warps of the block that have not ended. Not where only some lanes come. */
static inline void simt_block_barrier(void)
{
    simt_barrier(0, 0);
}

/* Rounding mode and exceptions are those that the warp slot's last block has left. */
#ifdef __riscv_flen
#define SIMT_CLEAR_FCSR "fscsr x0\n"
#else
#define SIMT_CLEAR_FCSR ""
#endif

/* Where divergence is marked by a tool, functions have frames for it, which grow from the stack's other end. */
#ifdef SIMT_FRAMES
#define SIMT_SET_FRAMES "li tp, -(1 << " SIMT_QUOTED(SIMT_STACK_LOG2) ")\nadd tp, sp, tp\n"
#else
#define SIMT_SET_FRAMES ""
#endif

#define SIMT_QUOTED(macro) SIMT_QUOTED_(macro)
#define SIMT_QUOTED_(text) #text

/* An entry. The stack of a thread is that of its lane and warp, whichever block they have.
 *
 * The code before the kernel's function may run at any address, and stands right before the function, in a section that
 * they share: cc and sim look at the linked function, leave out what it does not need, and let it end its warp itself
 * (src/kernels/entry.rs). */
#define SIMT_KERNEL(name)                                                       \
    __asm__(".pushsection .text.kernel." #name ", \"ax\", @progbits\n"         \
            ".globl " #name "\n"                                                \
            ".type " #name ", @function\n"                                      \
            #name ":\n"                                                         \
            "csrr t0, mhartid\n"                                                \
            "slli t0, t0, " SIMT_QUOTED(SIMT_STACK_LOG2) "\n"                   \
            "lui sp, 0xffff0\n"                                                 \
            "sub sp, sp, t0\n"                                                  \
            SIMT_SET_FRAMES                                                     \
            ".option push\n"                                                    \
            ".option norelax\n"                                                 \
            "lui gp, %hi(__global_pointer$)\n"                                  \
            "addi gp, gp, %lo(__global_pointer$)\n"                             \
            ".option pop\n"                                                     \
            SIMT_CLEAR_FCSR                                                     \
            "csrr a0, mscratch\n"                                               \
            "jal simt_body_of_" #name "\n"                                      \
            ".insn r 0x0b, 0, 0, x0, x0, x0\n" /* the warp ends */              \
            ".popsection");                                                     \
    static void simt_body_of_##name(uint32_t) __asm__("simt_body_of_" #name);   \
    __attribute__((used, noinline, noclone, section(".text.kernel." #name))) static void \
    simt_body_of_##name(uint32_t arg __attribute__((unused)))

#endif
