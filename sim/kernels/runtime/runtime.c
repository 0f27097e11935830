/* Task distribution, console, and the two functions that GCC may call on its own. */
#include <stddef.h>

#include "simt.h"

/* The layout is known to simt_task_loop. */
struct task_list {
    uint32_t count;
    void (*task)(uint32_t index, void *arg);
    void *arg;
};

/* start.S */
void simt_task_loop(void *list);

void simt_spawn(uint32_t count, void (*task)(uint32_t index, void *arg), void *arg)
{
    struct task_list list = {count, task, arg};
    uint32_t lanes = simt_lanes(), warps = simt_warps();
    uint32_t slices = (count + lanes - 1) / lanes;

    simt_run(slices < warps ? slices : warps, simt_task_loop, &list);
}

void simt_putchar(char c)
{
    /* 64 console bytes; the simulator keeps one line buffer for each (docs/ISA.md, section 7). */
    *(volatile char *)(0x40 + (simt_hart() & 63)) = c;
}

void simt_print(const char *text)
{
    while (*text)
        simt_putchar(*text++);
}

void simt_print_unsigned(uint32_t value)
{
    char digits[11];
    char *p = digits + sizeof digits - 1;

    *p = 0;
    do {
        *--p = '0' + value % 10;
        value /= 10;
    } while (value);
    simt_print(p);
}

void simt_print_hex(uint32_t value)
{
    simt_print("0x");
    for (int shift = 28; shift >= 0; shift -= 4)
        simt_putchar("0123456789abcdef"[value >> shift & 15]);
}

void simt_measure(const char *name, uint32_t value)
{
    simt_print(name);
    simt_putchar('=');
    simt_print_unsigned(value);
    simt_putchar('\n');
}

void simt_measure_ratio(const char *name, uint32_t value, uint32_t scale)
{
    uint32_t thousandths = value % scale * 1000 / scale;

    simt_print(name);
    simt_putchar('=');
    simt_print_unsigned(value / scale);
    simt_putchar('.');
    simt_putchar('0' + thousandths / 100);
    simt_putchar('0' + thousandths / 10 % 10);
    simt_putchar('0' + thousandths % 10);
    simt_putchar('\n');
}

/* Weak, for programs that bring theirs. */
__attribute__((weak)) void *memset(void *to, int byte, size_t n)
{
    for (char *p = to; n; n--)
        *p++ = (char)byte;
    return to;
}

__attribute__((weak)) void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    char *p = to;
    for (const char *q = from; n; n--)
        *p++ = *q++;
    return to;
}
