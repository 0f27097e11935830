/*
 * What its neighbours cost the oldest warp. Warp 0 does a job of 50 rounds and tells the cycles that it took; the other
 * warps keep a unit busy all the while:
 *   sim --engine model --preset medium --mem fixed:20 --sched lo -D JOB=MEMORY -D OTHERS=LOAD isolation.c
 * docs/RESULTS.md, "What a policy isolates", has a table of it.
 */
#include "simt.h"

/* Jobs, and what the others do; they may also do NOTHING, which ends them at once. */
enum { NOTHING, ADD, STORE, LOAD, MEMORY, DIVIDE };

#ifndef JOB
#define JOB ADD
#endif
#ifndef OTHERS
#define OTHERS NOTHING
#endif

#define ROUNDS 50
/* The others go on for as long as the job may take. */
#define LONGER 600
#define WORDS 64
#define MOST_THREADS 512

/* Each thread has lines of its own. */
static volatile uint32_t area[MOST_THREADS * WORDS] __attribute__((aligned(64)));
static uint32_t taken;

#define ADD_4 "addi %0, %0, 1\naddi %0, %0, 1\naddi %0, %0, 1\naddi %0, %0, 1\n"

/* One round of what is asked for. */
static inline uint32_t work(int what, volatile uint32_t *words, uint32_t number)
{
    if (what == ADD) __asm__ volatile(ADD_4 ADD_4 ADD_4 ADD_4 : "+r"(number));
    if (what == STORE || what == MEMORY) words[0] = words[1] = 1;
    if (what == LOAD || what == MEMORY) (void)words[0], (void)words[1];
    if (what == DIVIDE) __asm__ volatile("div %0, %0, %1" : "+r"(number) : "r"(1));
    return number;
}

static void body(void *unused)
{
    (void)unused;
    volatile uint32_t *words = area + simt_thread() * WORDS;
    uint32_t number = 0x7fffffff;
    if (simt_uniform(simt_warp()) == 0) {
        /* Until the others are at it. */
        for (volatile int i = 0; i < 40; i++) ;
        uint32_t begin = simt_cycles();
#pragma GCC unroll 1
        for (int i = 0; i < ROUNDS; i++) number = work(JOB, words, number);
        taken = simt_cycles() - begin;
    } else if (OTHERS != NOTHING) {
#pragma GCC unroll 1
        for (int i = 0; i < LONGER; i++) number = work(OTHERS, words, number);
    }
}

int main(void)
{
    simt_run(simt_warps(), body, 0);
    simt_measure("job", taken);
    return 0;
}
