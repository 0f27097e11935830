/* The instructions, CSRs and launchers that a program for Vortex 2.2 uses (docs/ISA.md, sections 3, 4 and 11). */
#ifndef GPU_H
#define GPU_H

#include <stdint.h>

#define READ(csr) ({ uint32_t value; __asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(csr) : "memory"); value; })
#define WRITE(csr, value) __asm__ volatile("csrw %0, %1" : : "i"(csr), "r"(value) : "memory")

enum { MSCRATCH = 0x340, LANE = 0xcc0, WARP = 0xcc1, LANES = 0xfc0, WARPS = 0xfc1, LOCAL_MEMORY = 0xfc3, HART = 0xf14 };

static inline void tmc(uint32_t mask) { __asm__ volatile(".insn r 0x0b, 0, 0, x0, %0, x0" : : "r"(mask) : "memory"); }
/* Goes on in lane 0 alone. The constant is loaded on the spot: a register may hold it in lane 0 only. */
static inline void tmc_one(void) { __asm__ volatile("li a0, 1\n .insn r 0x0b, 0, 0, x0, a0, x0" : : : "a0", "memory"); }
static inline void wspawn(uint32_t warps, void (*entry)(void))
{
    __asm__ volatile(".insn r 0x0b, 1, 0, x0, %0, %1" : : "r"(warps), "r"(entry) : "memory");
}
static inline uint32_t split(uint32_t predicate)
{
    uint32_t token;
    __asm__ volatile(".insn r 0x0b, 2, 0, %0, %1, x0" : "=r"(token) : "r"(predicate) : "memory");
    return token;
}
static inline uint32_t split_not(uint32_t predicate)
{
    uint32_t token;
    __asm__ volatile(".insn r 0x0b, 2, 0, %0, %1, x1" : "=r"(token) : "r"(predicate) : "memory");
    return token;
}
static inline void join(uint32_t token) { __asm__ volatile(".insn r 0x0b, 3, 0, x0, %0, x0" : : "r"(token) : "memory"); }
static inline void barrier(uint32_t id, uint32_t warps)
{
    __asm__ volatile(".insn r 0x0b, 4, 0, x0, %0, %1" : : "r"(id), "r"(warps) : "memory");
}
static inline void pred(uint32_t condition, uint32_t mask)
{
    __asm__ volatile(".insn r 0x0b, 5, 0, x0, %0, %1" : : "r"(condition), "r"(mask) : "memory");
}

struct index { uint32_t x, y, z; };
extern struct index grid_size, block_size;
extern uint32_t warps_per_group;
extern __thread struct index block, thread;
extern __thread uint32_t local_group;

/* An array whose first contents do not matter, and whose clearing would cost time. */
#define RESULT __attribute__((section(".output"), aligned(64)))

typedef void task_function(void *arg);

/* Runs the function once for every block of the grid: one thread each if a block is one thread, else in groups that
 * share local memory and barriers. Returns 0, or -1 if a block does not fit into the core. */
int launch(struct index grid, struct index per_block, task_function *function, void *arg);
void lane_by_lane(void (*function)(void *), void *arg);
void print(const char *text, uint32_t value);

static inline void group_barrier(void) { barrier(local_group, warps_per_group); }
static inline void *group_memory(uint32_t bytes) { return (char *)READ(LOCAL_MEMORY) + local_group * bytes; }

#endif
