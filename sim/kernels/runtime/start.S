# Start-up, exit and the launch of warps: the places where lanes wake up with stale registers, and
# which therefore cannot be written in C. Conventions: docs/ISA.md, sections 3, 6 and 7.

#include "stack.h"

#define STACK_BASE_UPPER 0xffff0        /* sp = 0xFFFF0000 - (hartid << SIMT_STACK_LOG2) */
#define EXIT_CODE        0x88

        .macro tmc mask
        .insn r 0x0b, 0, 0, x0, \mask, x0
        .endm
        .macro wspawn count, entry
        .insn r 0x0b, 1, 0, x0, \count, \entry
        .endm

        .macro split token, predicate
        .insn r 0x0b, 2, 0, \token, \predicate, x0
        .endm
        .macro join token
        .insn r 0x0b, 3, 0, x0, \token, x0
        .endm

# Gives every active lane its global pointer and its own stack.
        .macro lane_setup
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        csrr    t0, mhartid
        slli    t0, t0, SIMT_STACK_LOG2
        lui     sp, STACK_BASE_UPPER
        sub     sp, sp, t0
#ifdef SIMT_FRAMES                      /* frames of what divergence needs grow from the stack's other end */
        li      tp, -(1 << SIMT_STACK_LOG2)
        add     tp, sp, tp
#endif
        .endm

        .section .text.start, "ax", @progbits
        .globl  _start
_start: li      t0, -1
        tmc     t0
        lane_setup

        # Clear .bss, one word a lane; the section is padded so that the trip count is the same in all lanes.
        csrr    t0, 0xcc0               # lane
        csrr    t1, 0xfc0               # lanes
        slli    t0, t0, 2
        slli    t1, t1, 2
        la      t2, __bss_start
        la      t3, __bss_end
        add     t0, t0, t2
        j       2f
1:      sw      x0, 0(t0)
        add     t0, t0, t1
2:      bltu    t0, t3, 1b

        li      t0, 1
        tmc     t0
        csrr    a0, mscratch            # the kernel argument
        call    main
        .globl  simt_exit
simt_exit:
        sw      a0, EXIT_CODE(x0)
        fence
        tmc     x0

# void simt_run(unsigned warps, void (*body)(void *), void *arg)
# Runs body(arg) in every lane of warps 0 .. warps-1 and returns when all are done. Called by warp 0, lane 0.
# Saves the s registers itself, once, so that a body in assembler need not do it in every lane.
        .text
        .globl  simt_run
        .type   simt_run, @function
simt_run:
        addi    sp, sp, -64
        sw      ra, 12(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        sw      s\n, 16 + 4 * \n(sp)
        .endr
        la      t0, launch
        sw      a1, 0(t0)
        sw      a2, 4(t0)
        la      t1, warp_entry
        wspawn  a0, t1
        li      t0, -1
        tmc     t0
        # The other lanes woke up with whatever their registers held: load everything anew. Their stack and
        # global pointers are those of the start-up, which every body leaves as it found them.
        la      t0, launch
        lw      t1, 0(t0)
        lw      a0, 4(t0)
        jalr    t1
        li      t0, 1
        tmc     t0
        wspawn  t0, x0                  # with a count of 1: wait until the other warps have ended
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        lw      s\n, 16 + 4 * \n(sp)
        .endr
        lw      ra, 12(sp)
        addi    sp, sp, 64
        ret

# void simt_task_loop(struct task_list *) -- the body that simt_spawn runs, for simt_run only (it keeps no s register).
# In assembler because what a C function saves on its stack costs one memory line for each lane: the lanes'
# stacks are kilobytes apart.
        .section .text.simt_task_loop, "ax", @progbits
        .globl  simt_task_loop
        .type   simt_task_loop, @function
simt_task_loop:
        mv      s7, ra
        lw      s0, 0(a0)               # count
        lw      s1, 4(a0)               # task
        lw      s2, 8(a0)               # arg
        csrr    s3, 0xfc0               # lanes
        csrr    s4, 0xfc1
        mul     s4, s4, s3              # all threads: from one slice of a warp to its next
        csrr    s5, 0xcc1
        mul     s5, s5, s3              # first task of the slice
        csrr    s6, 0xcc0               # lane
        j       2f
1:      sub     t0, s0, s5              # tasks left
        add     a0, s5, s6
        mv      a1, s2
        bltu    t0, s3, 3f
        jalr    s1
        add     s5, s5, s4
2:      bltu    s5, s0, 1b
        jr      s7
3:      sltu    t1, s6, t0              # the tail: fewer tasks than lanes, and no slice after it
        split   s8, t1
        beqz    t1, 4f
        jalr    s1
4:      join    s8
        jr      s7

# A spawned warp begins here with lane 0.
        .text
warp_entry:
        li      t0, -1
        tmc     t0
        lane_setup
        la      t0, launch
        lw      t1, 0(t0)
        lw      a0, 4(t0)
        jalr    t1
        tmc     x0

        .section .sbss, "aw", @nobits
        .balign 4
launch: .space  8
