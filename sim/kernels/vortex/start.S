# Start-up, exit and lane-by-lane calls in the manner of Vortex 2.2 (docs/ISA.md, sections 7 and 11): every thread of every warp
# gets its registers, then its thread-local storage, before warp 0 goes on alone.

#define EXIT_CODE 0x88

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
# Calls \function once in every thread: other warps by way of \entry.
        .macro everywhere entry, function
        csrr    t0, 0xfc1
        la      t1, \entry
        wspawn  t0, t1
        li      t0, -1
        tmc     t0
        call    \function
        li      t0, 1
        tmc     t0
        .endm

        .section .init, "ax", @progbits
        .globl  _start
_start: everywhere registers_entry, set_registers
        everywhere tls_entry, set_tls
        la      t0, __bss_start
        la      t1, _end
1:      bgeu    t0, t1, 2f
        sb      x0, 0(t0)
        addi    t0, t0, 1
        j       1b
2:      call    main
        .globl  leave
leave:  mv      s0, a0
        call    dump_counters
        li      t0, EXIT_CODE
        sw      s0, 0(t0)
        fence
        tmc     x0

        .text
# 64-bit words at 0x80, one a counter: cycles, past the exit code's place instructions, then mhpmcounter3 to 31.
        .macro  dump counter
        csrr    t0, 0xb00 + \counter
        sw      t0, 0x80 + 8 * \counter(x0)
        csrr    t0, 0xb80 + \counter
        sw      t0, 0x84 + 8 * \counter(x0)
        .endm
dump_counters:
        dump    0
        .set    number, 2
        .rept   30
        dump    number
        .set    number, number + 1
        .endr
        ret

registers_entry:
        li      t0, -1
        tmc     t0
        call    set_registers
        tmc     x0
tls_entry:
        li      t0, -1
        tmc     t0
        call    set_tls
        tmc     x0

set_registers:
        .option push
        .option norelax
        la      gp, __global_pointer
        .option pop
        csrr    t0, mhartid
        slli    t1, t0, 13
        li      sp, 0xffff0000
        sub     sp, sp, t1
        la      t1, __tls_size
        mul     t0, t0, t1
        la      tp, _end
        add     tp, tp, t0
        ret

# Copies the initialised thread-local variables and clears the others; all lanes count alike.
set_tls:
        mv      t0, tp
        la      t1, __tdata_start
        la      t2, __tdata_end
1:      bgeu    t1, t2, 2f
        lbu     t3, 0(t1)
        sb      t3, 0(t0)
        addi    t0, t0, 1
        addi    t1, t1, 1
        j       1b
2:      la      t1, __tls_size
        add     t1, t1, tp
3:      bgeu    t0, t1, 4f
        sb      x0, 0(t0)
        addi    t0, t0, 1
        j       3b
4:      ret

# void lane_by_lane(void (*function)(void *), void *arg): one call a lane, in the order of the lanes.
        .globl  lane_by_lane
lane_by_lane:
        addi    sp, sp, -32
        sw      ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5
        sw      s\n, 4 + 4 * \n(sp)
        .endr
        mv      s0, a0
        mv      s1, a1
        csrr    s2, 0xcc0
        csrr    s3, 0xfc0
        li      s4, 0
1:      sub     t0, s4, s2
        seqz    t1, t0
        split   s5, t1
        bnez    t0, 2f
        mv      a0, s1
        jalr    s0
2:      join    s5
        addi    s4, s4, 1
        blt     s4, s3, 1b
        lw      ra, 0(sp)
        .irp    n, 0, 1, 2, 3, 4, 5
        lw      s\n, 4 + 4 * \n(sp)
        .endr
        addi    sp, sp, 32
        ret
