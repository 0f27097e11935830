# Directed self-tests of RV32IM_Zicsr_Zifencei_Zicond by one thread, in the manner of the public ISA tests: the exit
# code is 0, or the number of the first case that fails.

        .macro tmc mask
        .insn r 0x0b, 0, 0, x0, \mask, x0
        .endm

/* Case: the code leaves in a0 what `value` says. */
#define CASE(value, code...) addi gp, gp, 1; code; li t6, value; bne a0, t6, fail
/* The same for an operation on two registers, in the ways in which they can coincide. */
#define BINARY(op, value, first, second) \
        CASE(value, li a1, first; li a2, second; op a0, a1, a2); \
        CASE(value, li a0, first; li a2, second; op a0, a0, a2); \
        CASE(value, li a1, first; li a0, second; op a0, a1, a0); \
        CASE(0, li a1, first; li a2, second; op x0, a1, a2; mv a0, x0)
#define IMMEDIATE(op, value, first, second) \
        CASE(value, li a1, first; op a0, a1, second); \
        CASE(value, li a0, first; op a0, a0, second)
/* A branch forwards and one backwards, taken or not. */
#define BRANCH(op, taken, first, second) \
        CASE(taken, li a1, first; li a2, second; li a0, 1; op a1, a2, 1f; li a0, 0; 1:); \
        CASE(taken, li a1, first; li a2, second; li a0, 0; j 2f; 1: li a0, 1; j 3f; 2: op a1, a2, 1b; 3:)

        .section .init, "ax", @progbits
        .globl  _start
_start: li      gp, 0

        BINARY(add, 0x80000000, 0x7fffffff, 1)
        BINARY(sub, 0x7fffffff, 0x80000000, 1)
        BINARY(sll, 0x80000000, 1, 31)
        BINARY(sll, 2, 1, 33)  /* five bits of the amount count */
        BINARY(srl, 1, 0x80000000, 31)
        BINARY(sra, -1, 0x80000000, 31)
        BINARY(slt, 1, -1, 0)
        BINARY(slt, 0, 0, -1)
        BINARY(sltu, 0, -1, 0)
        BINARY(sltu, 1, 0, -1)
        BINARY(xor, 0xff00ff00, 0xf0f00f0f, 0x0ff0f00f)
        BINARY(or, 0xfff0ff0f, 0xf0f00f0f, 0x0f00f000)
        BINARY(and, 0x00f0000f, 0xf0f00f0f, 0x0ff0f00f)
        IMMEDIATE(addi, 0x7ffff800, 0x80000000, -2048)
        IMMEDIATE(slti, 1, -3, -2)
        IMMEDIATE(sltiu, 1, 5, -1)  /* sign-extended, then unsigned */
        IMMEDIATE(xori, -6, 5, -1)
        IMMEDIATE(ori, -1, 5, -1)
        IMMEDIATE(andi, 5, 5, -1)
        IMMEDIATE(slli, 0xfffffff0, -1, 4)
        IMMEDIATE(srli, 0x0fffffff, -1, 4)
        IMMEDIATE(srai, -1, -1, 4)
        CASE(0xfffff000, lui a0, 0xfffff)
        CASE(4096, auipc a1, 1; auipc a2, 0; sub a0, a1, a2; addi a0, a0, 4)

        BRANCH(beq, 1, 3, 3)
        BRANCH(beq, 0, 3, 4)
        BRANCH(bne, 1, 3, 4)
        BRANCH(bne, 0, 3, 3)
        BRANCH(blt, 1, -1, 1)
        BRANCH(blt, 0, 1, 1)
        BRANCH(bge, 1, 1, 1)
        BRANCH(bge, 0, -1, 1)
        BRANCH(bltu, 1, 1, -1)
        BRANCH(bltu, 0, -1, 1)
        BRANCH(bgeu, 1, -1, 1)
        BRANCH(bgeu, 0, 1, -1)
        CASE(4, jal a1, 1f; 1: auipc a0, 0; sub a0, a1, a0; addi a0, a0, 4)
        CASE(1, la a1, 1f; addi a1, a1, 1; li a0, 1; jalr a2, 0(a1); li a0, 0; 1:)  /* bit 0 does not count */
        CASE(0, la a1, 1f; jalr a1, 0(a1); 1: la a2, 1b; sub a0, a1, a2)  /* rd = rs1 */
        CASE(7, li a0, 7; ecall; ebreak; mret; sret; wfi)  /* there are no traps */

        CASE(0xffffff81, la a1, data; lb a0, 0(a1))
        CASE(0x81, la a1, data; lbu a0, 0(a1))
        CASE(0xffff8281, la a1, data; lh a0, 0(a1))
        CASE(0x8281, la a1, data; lhu a0, 0(a1))
        CASE(0x84838281, la a1, data; lw a0, 0(a1))
        CASE(0x84838281, la a1, data; addi a1, a1, 100; lw a0, -100(a1))
        CASE(0x11, la a1, data; li a2, 0x11; sb a2, 5(a1); lbu a0, 5(a1))
        CASE(0x000011aa, la a1, data; li a2, 0xaa; sb a2, 4(a1); lw a0, 4(a1))
        CASE(0xbbcc11aa, la a1, data; li a2, 0xffbbcc; sh a2, 6(a1); lw a0, 4(a1))
        CASE(0x12345678, la a1, data; li a2, 0x12345678; sw a2, 8(a1); lw a0, 8(a1))
        CASE(0x12345678, la a1, data; lw a1, 12(a1); lw a0, 8(a1))  /* load, then use as address */

        BINARY(mul, 0x80000000, 0x80000000, 0x7fffffff)
        BINARY(mulh, 0x40000000, 0x80000000, 0x80000000)
        BINARY(mulhsu, 0x80000000, 0x80000000, -1)
        BINARY(mulhu, 0xfffffffe, -1, -1)
        BINARY(div, -3, -7, 2)
        BINARY(div, -1, 5, 0)
        BINARY(div, 0x80000000, 0x80000000, -1)
        BINARY(divu, 0x7ffffffc, -7, 2)
        BINARY(divu, -1, 5, 0)
        BINARY(rem, -1, -7, 2)
        BINARY(rem, 5, 5, 0)
        BINARY(rem, 0, 0x80000000, -1)
        BINARY(remu, 1, -7, 2)
        BINARY(remu, 5, 5, 0)
        CASE(9, li a1, 9; li a2, 1; .insn r 0x33, 5, 7, a0, a1, a2)  /* czero.eqz */
        CASE(0, li a1, 9; li a2, 1; .insn r 0x33, 7, 7, a0, a1, a2)  /* czero.nez */

        CASE(0x1234, li a1, 0x1234; csrw mscratch, a1; csrr a0, mscratch)
        CASE(0x1234, li a1, 0x00ff; csrrs a0, mscratch, a1)
        CASE(0x12ff, csrrci a0, mscratch, 15)
        CASE(0x12f0, csrr a0, mscratch)
        CASE(0x12f0, csrrc a0, mscratch, x0)
        CASE(0x12f0, csrrwi a0, mscratch, 21)
        CASE(21, csrrsi a0, mscratch, 0)
        CASE(0, csrrs a0, mhartid, x0)  /* reading is no writing */
        CASE(0, csrrci a0, 0xcc1, 0)
        CASE(1, csrr a0, 0xcc4)
        CASE(0, li a1, -1; csrw mtvec, a1; csrr a0, mtvec)
        CASE(0, li a1, -1; csrw satp, a1; csrr a0, satp)
        CASE(0, li a1, -1; csrw mstatus, a1; csrr a0, mstatus)
        CASE(0, li a1, -1; csrw pmpaddr0, a1; csrw pmpcfg0, a1; csrr a0, pmpaddr0)
        CASE(0, csrwi 0x744, 8; csrwi medeleg, 0; csrwi mideleg, 0; csrwi mie, 0; csrw mepc, a1; csrr a0, mepc)
        CASE(0, csrr a0, mvendorid; csrr a1, marchid; csrr a2, mimpid; or a0, a0, a1; or a0, a0, a2)
        CASE(0x40801100, csrr a0, misa; li a1, ~(1 << 5 | 1 << 20); and a0, a0, a1)
        CASE(1, csrr a1, mcycle; csrr a2, mcycle; sltu a0, a1, a2)
        CASE(3, csrr a1, minstret; nop; nop; csrr a2, minstret; sub a0, a2, a1)

        # A function is rewritten; FENCE.I makes the new one visible.
        CASE(5, jal ra, function)
        CASE(6, la a1, function; la a2, replacement; lw a2, 0(a2); sw a2, 0(a1); fence.i; jal ra, function)

        li      gp, 0
fail:   mv      a0, gp
        li      t0, 0x88
        sw      a0, 0(t0)
        fence
        tmc     x0

        .balign 64
function:
        li      a0, 5
        ret
replacement:
        li      a0, 6

        .data
        .balign 64
data:   .word   0x84838281, 0, 0, data
