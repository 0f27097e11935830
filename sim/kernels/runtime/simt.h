/* The SIMT instructions of the core for plain GCC, and the small runtime of the kernels.
 *
 * A kernel is written from the point of view of one thread, in ordinary C. The program cc, and all that compile
 * kernels, find the conditions that may differ between the lanes of a warp, and insert what the
 * hardware needs, where a branch takes the whole warp along with its last active lane. A function that uses
 * SIMT_IF or SIMT_WHILE they leave as it is. In it, and wherever a plain compiler does all, two rules hold:
 *   - a condition that may differ between the lanes of a warp goes through SIMT_IF or SIMT_WHILE;
 *   - such a condition is written with & and | (never && and ||, which are branches themselves), and a
 *     value chosen by it with simt_select or arithmetic, not with ?:.
 * Conditions that are the same in all lanes are ordinary C.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results that the host checks; see link.ld. */
#define SIMT_OUTPUT __attribute__((section(".output"), aligned(64)))

#define SIMT_READ_CSR(number)                                                   \
    ({ uint32_t value; __asm__("csrr %0, " #number : "=r"(value)); value; })
#define SIMT_READ_CSR_NOW(number)                                               \
    ({ uint32_t value; __asm__ volatile("csrr %0, " #number : "=r"(value) :: "memory"); value; })

static inline uint32_t simt_lane(void) { return SIMT_READ_CSR(0xcc0); }
static inline uint32_t simt_warp(void) { return SIMT_READ_CSR(0xcc1); }
static inline uint32_t simt_lanes(void) { return SIMT_READ_CSR(0xfc0); }
static inline uint32_t simt_warps(void) { return SIMT_READ_CSR(0xfc1); }
static inline uint32_t simt_hart(void) { return SIMT_READ_CSR(mhartid); }
static inline void *simt_local_memory(void) { return (void *)SIMT_READ_CSR(0xfc3); }
static inline uint32_t simt_active_lanes(void) { return SIMT_READ_CSR_NOW(0xcc4); }
static inline uint32_t simt_cycles(void) { return SIMT_READ_CSR_NOW(mcycle); }
static inline uint32_t simt_instructions(void) { return SIMT_READ_CSR_NOW(minstret); }

/* Threads that run at once, and this one's number among them. */
static inline uint32_t simt_width(void) { return simt_warps() * simt_lanes(); }
static inline uint32_t simt_thread(void) { return simt_warp() * simt_lanes() + simt_lane(); }

/* Waits until `warps` warps have arrived at barrier `id`. */
#define SIMT_BARRIER(id, warps) __asm__ volatile(".insn r 0x0b, 4, 0, x0, %0, %1" : : "r"(id), "r"(warps) : "memory")
static inline void simt_barrier(uint32_t id, uint32_t warps) { SIMT_BARRIER(id, warps); }

/* The value, which is the same in all lanes of a warp that are active together: what cc cannot know, its author may
 * say. Branches on it stay plain ones; if lanes differ, the last active one decides for all. */
static inline uint32_t simt_uniform(uint32_t value)
{
    __asm__("mv %0, %0 # uniform" : "+r"(value));
    return value;
}

/* What is at an address, and puts `value` there if it is `compared` (AMOCAS of Zacas). GCC's __atomic_fetch_add and its
 * like are one instruction each; its __atomic_compare_exchange is none that the core has. */
static inline uint32_t simt_compare_and_swap(uint32_t *at, uint32_t compared, uint32_t value)
{
    __asm__ volatile(".insn r 0x2f, 2, 0x14, %0, %1, %2" : "+r"(compared) : "r"(at), "r"(value) : "memory");
    return compared;
}

/* Votes of the active lanes of a warp, which all get the result (cores with --cross-lane): whether the condition holds in all
 * of them, in any, in all or none, and the mask of those where it does. */
#define SIMT_VOTE(name, funct3)                                                 \
    static inline uint32_t simt_vote_##name(uint32_t condition)                 \
    {                                                                           \
        uint32_t result;                                                        \
                                                                                \
        __asm__ volatile(".insn r 0x0b, " #funct3 ", 1, %0, %1, x0" : "=r"(result) : "r"((uint32_t)!!condition)); \
        return result;                                                          \
    }
SIMT_VOTE(all, 0)
SIMT_VOTE(any, 1)
SIMT_VOTE(uniform, 2)
SIMT_VOTE(ballot, 3)
#undef SIMT_VOTE

/* The value of another lane of the warp: of the lane so many before or behind this one, of the one whose number differs in
 * these bits, or of one by its number in this lane's segment. A segment has `width` lanes, a power of two up to 32. Whoever asks
 * beyond its segment gets its own value, and 0 of a lane that is not active. */
#define SIMT_SHUFFLE(name, funct3)                                              \
    static inline uint32_t simt_shuffle##name(uint32_t value, uint32_t which, uint32_t width) \
    {                                                                           \
        uint32_t result, asked = (32 - width) << 12 | 31 << 6 | (which & 31);   \
                                                                                \
        __asm__ volatile(".insn r 0x0b, " #funct3 ", 1, %0, %1, %2" : "=r"(result) : "r"(value), "r"(asked)); \
        return result;                                                          \
    }
SIMT_SHUFFLE(_up, 4)
SIMT_SHUFFLE(_down, 5)
SIMT_SHUFFLE(_xor, 6)
SIMT_SHUFFLE(, 7)
#undef SIMT_SHUFFLE

/* condition ? a : b without a branch (Zicond). */
static inline uint32_t simt_select(uint32_t condition, uint32_t a, uint32_t b)
{
    uint32_t if_true, if_false;
    __asm__(".insn r 0x33, 5, 7, %0, %1, %2" : "=r"(if_true) : "r"(a), "r"(condition));
    __asm__(".insn r 0x33, 7, 7, %0, %1, %2" : "=r"(if_false) : "r"(b), "r"(condition));
    return if_true | if_false;
}

#ifdef __riscv_flen
/* Floating point, for cores that have it. Products are fused only where simt_fma says so. */
static inline float simt_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline float simt_sqrt(float a) { return __builtin_sqrtf(a); }
static inline float simt_abs(float a) { return __builtin_fabsf(a); }
static inline float simt_min(float a, float b) { __asm__("fmin.s %0, %0, %1" : "+f"(a) : "f"(b)); return a; }
static inline float simt_max(float a, float b) { __asm__("fmax.s %0, %0, %1" : "+f"(a) : "f"(b)); return a; }
static inline uint32_t simt_bits_of_float(float a)
{
    uint32_t bits;
    __asm__("fmv.x.w %0, %1" : "=r"(bits) : "f"(a));
    return bits;
}
static inline float simt_float_of_bits(uint32_t bits)
{
    float a;
    __asm__("fmv.w.x %0, %1" : "=f"(a) : "r"(bits));
    return a;
}
/* condition ? a : b without a branch. */
static inline float simt_select_float(uint32_t condition, float a, float b)
{
    return simt_float_of_bits(simt_select(condition, simt_bits_of_float(a), simt_bits_of_float(b)));
}
#endif

/* SIMT_IF (condition) { .. } SIMT_END
 * SIMT_IF_ELSE (condition) { .. } SIMT_ELSE { .. } SIMT_END
 *
 * SPLIT runs the larger side first, whichever that is, so the branch after it asks again; the first JOIN sends
 * the warp back to that branch with the other lanes. Both are one piece of assembler, so that nothing the
 * compiler moves between them runs twice. Neither side may leave by return, break, continue or goto.
 *
 * A compiler that copied a SPLIT or JOIN would let lanes wait for one another at different places. The labels
 * make that impossible to miss: a second copy does not assemble ("symbol already defined"). Functions with
 * these macros that are called from several places are therefore marked SIMT_FUNCTION, and loops around them
 * that are short enough to be unrolled get `#pragma GCC unroll 1`. */
#define SIMT_IF(condition)                                                      \
    {                                                                           \
        __label__ simt_end;                                                     \
        SIMT_SPLIT(condition, SIMT_LABEL(__COUNTER__), simt_end)
#define SIMT_IF_ELSE(condition)                                                 \
    {                                                                           \
        __label__ simt_else, simt_end;                                          \
        SIMT_SPLIT(condition, SIMT_LABEL(__COUNTER__), simt_else)
#define SIMT_ELSE                                                               \
        goto simt_end;                                                          \
        simt_else:;
#define SIMT_END SIMT_END_(SIMT_LABEL(__COUNTER__))
#define SIMT_END_(label)                                                        \
        simt_end:                                                               \
        __asm__ volatile(label ".insn r 0x0b, 3, 0, x0, %0, x0" : : "r"(simt_token) : "memory"); \
    }
#define SIMT_SPLIT(condition, label, otherwise)                                 \
        uint32_t simt_token;                                                    \
        __asm__ goto(label ".insn r 0x0b, 2, 0, %0, %1, x0\n\tbeqz %1, %l2"      \
                     : "=&r"(simt_token) : "r"(!!(condition)) : "memory" : otherwise);

/* SIMT_WHILE (condition) { .. } SIMT_WHILE_END
 *
 * PRED lets the lanes whose condition still holds go round again; when none is left it restores the mask
 * with which the loop was entered, and all leave together. The same restriction applies to the body. */
#define SIMT_WHILE(condition) SIMT_WHILE_(condition, SIMT_LABEL(__COUNTER__))
#define SIMT_WHILE_(condition, label)                                           \
    {                                                                           \
        uint32_t simt_entered = simt_active_lanes();                            \
        for (;;) {                                                              \
            uint32_t simt_predicate = !!(condition);                            \
            __asm__ volatile(label ".insn r 0x0b, 5, 0, x0, %0, %1"             \
                             : "+r"(simt_predicate) : "r"(simt_entered) : "memory"); \
            if (!simt_predicate)                                                \
                break;
#define SIMT_WHILE_END                                                          \
        }                                                                       \
    }

#define SIMT_FUNCTION __attribute__((noinline, noclone))
#define SIMT_LABEL(number) SIMT_LABEL_(number)
#define SIMT_LABEL_(number) ".Lsimt_" #number ": "

/* Launching: see start.S and runtime.c. Both are called by warp 0, lane 0, outside a launch. */

/* Runs body(arg) once in every lane of the first `warps` warps. */
void simt_run(uint32_t warps, void (*body)(void *), void *arg);
/* Runs task(i, arg) for every i < count; warp w takes the slices w, w + W, .. of one task a lane. */
void simt_spawn(uint32_t count, void (*task)(uint32_t index, void *arg), void *arg);
/* Ends the program; normally by returning from main. */
void simt_exit(uint32_t code) __attribute__((noreturn));

/* Console. The calling lane prints alone or all active lanes print the same text, each on its own line. */
void simt_putchar(char c);
void simt_print(const char *text);
void simt_print_unsigned(uint32_t value);
void simt_print_hex(uint32_t value);
/* One `name=value` line: a measurement that the simulator reports under `measures`. */
void simt_measure(const char *name, uint32_t value);
/* The same with value / scale in thousandths. */
void simt_measure_ratio(const char *name, uint32_t value, uint32_t scale);

#ifdef __cplusplus
}
#endif

#endif
