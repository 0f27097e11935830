// What riscv-tests asks of its surroundings, for this core: one warp with the lanes of LANES, each of which does the same.
// The end is as docs/ISA.md, section 7, has it; the exit code of a failure is the number of the test.
#ifndef RISCV_TEST_H
#define RISCV_TEST_H

#define RVTEST_RV32U
#define RVTEST_RV64U
#define RVTEST_RV32UF
#define RVTEST_RV64UF

#define TESTNUM gp
#define EXIT_CODE 0x88

#ifndef LANES
#define LANES -1
#endif

#define SET_LANES(mask) .insn r 0x0b, 0, 0, x0, mask, x0

#define RVTEST_CODE_BEGIN              \
        .section .text.start, "ax";    \
        .globl  _start;                \
_start: li      t0, LANES;             \
        SET_LANES(t0);                 \
        li      TESTNUM, 0;

#define RVTEST_CODE_END

#define END(code)                      \
        mv      t1, code;              \
        li      t0, EXIT_CODE;         \
        sw      t1, 0(t0);             \
        fence;                         \
        SET_LANES(x0);

#define RVTEST_PASS END(x0)
#define RVTEST_FAIL END(TESTNUM)

#define EXTRA_DATA
#define RVTEST_DATA_BEGIN .align 4;
#define RVTEST_DATA_END

#endif
