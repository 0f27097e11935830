/* printf to the console, and assert. Digits of float are in simt_cuda_digits.h. */
#ifndef SIMT_CUDA_PRINT_H
#define SIMT_CUDA_PRINT_H

#include "simt_cuda_digits.h"

/* What stands between % and the letter of a conversion. */
struct simt_format {
    bool left, zeros, plus, space, other;
    int width, places; /* places: -1 if there is no precision */
};

/* A sign or 0x, so many zeros, and digits or other text, in a field of that width. */
static __attribute__((unused, noinline)) void simt_print_field(const simt_format &as, const char *prefix, int zeros, const char *text, int length)
{
    int before = 0, left;

    while (prefix[before])
        before++;
    left = as.width - before - zeros - length;
    if (as.zeros && !as.left && left > 0) {
        zeros += left;
        left = 0;
    }
    for (; !as.left && left > 0; left--)
        simt_putchar(' ');
    simt_print(prefix);
    for (; zeros > 0; zeros--)
        simt_putchar('0');
    for (int i = 0; i < length; i++)
        simt_putchar(text[i]);
    for (; left > 0; left--)
        simt_putchar(' ');
}

static inline const char *simt_sign(const simt_format &as, bool minus)
{
    return minus ? "-" : as.plus ? "+" : as.space ? " " : "";
}

static __attribute__((unused, noinline)) void simt_print_number(const simt_format &given, uint64_t value, uint32_t base, const char *prefix, bool upper)
{
    const char *letters = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char digits[24], *p = digits + sizeof digits;
    uint32_t low = (uint32_t)value;
    simt_format as = given;
    int length;

    /* Few numbers need a division of 64 bits, which is a function. */
    for (; value >> 32; low = (uint32_t)value) {
        *--p = letters[value % base];
        value /= base;
    }
    for (; low; low /= base)
        *--p = letters[low % base];
    length = digits + sizeof digits - p;
    /* A precision is the least number of digits, and fills with zeros alone. */
    as.zeros = as.zeros && as.places < 0;
    int least = as.places < 0 ? 1 : as.places;
    simt_print_field(as, prefix, length < least ? least - length : 0, p, length);
}

/* %f, %e and %g, and those in capitals. */
static __attribute__((unused, noinline)) void simt_print_float(const simt_format &given, float value, char kind)
{
    const char *sign = simt_sign(given, simt_bits_of_float(value) >> 31);
    bool upper = kind < 'a';
    simt_format as = given;
    simt_digits digits;
    char text[SIMT_TEXT];

    if (!(simt_abs(value) < INFINITY)) {
        as.zeros = false;
        return simt_print_field(as, sign, 0, value != value ? upper ? "NAN" : "nan" : upper ? "INF" : "inf", 3);
    }
    int places = as.places < 0 ? 6 : as.places > SIMT_MOST_PLACES ? SIMT_MOST_PLACES : as.places;
    digits.of(value);
    simt_print_field(as, sign, 0, text, digits.write(text, kind | 32, places, upper));
}

/* What printf takes: a float as its bits, so that no double is passed; integers with their sign in all bits. */
struct simt_printed {
    uint64_t word;
    bool is_float;
    simt_printed(float value) : word(simt_bits_of_float(value)), is_float(true) {}
    simt_printed(const void *value) : word((uint32_t)value), is_float(false) {}
    template <class T> simt_printed(T value) : word((uint64_t)value), is_float(false) {}
};

static inline bool simt_is_digit(char c) { return c >= '0' && c <= '9'; }

/* An integer of as many bits as the lengths before the letter say: 8 and 16 behind h, 64 behind any other, else 32. */
static inline uint64_t simt_of_length(uint64_t word, int halves, bool is_long, bool is_signed)
{
    int unused = is_long ? 0 : halves > 1 ? 56 : halves ? 48 : 32;

    return is_signed ? (uint64_t)((int64_t)(word << unused) >> unused) : word << unused >> unused;
}

/* One conversion. Returns whether it is one of C's that there is: %d %i %u %x %X %o %c %s %p %f %F %e %E %g %G. */
static __attribute__((unused, noinline)) bool simt_print_one(const simt_format &as, char kind, const simt_printed &printed, int halves, bool is_long)
{
    uint64_t word = simt_of_length(printed.word, halves, is_long, kind == 'd' || kind == 'i');
    const char *text = (const char *)(uint32_t)printed.word;
    bool minus = (int64_t)word < 0;
    simt_format plain = as;
    char c = (char)word;
    int length = 0;

    plain.zeros = false;
    switch (kind) {
    case 'd': case 'i': simt_print_number(as, minus ? -word : word, 10, simt_sign(as, minus), false); break;
    case 'u': simt_print_number(as, word, 10, "", false); break;
    case 'o': simt_print_number(as, word, 8, as.other && word ? "0" : "", false); break;
    case 'x': simt_print_number(as, word, 16, as.other && word ? "0x" : "", false); break;
    case 'X': simt_print_number(as, word, 16, as.other && word ? "0X" : "", true); break;
    case 'p': plain.places = 8; simt_print_number(plain, (uint32_t)word, 16, "0x", false); break;
    case 'c': simt_print_field(plain, "", 0, &c, 1); break;
    case 's':
        text = text ? text : "(null)";
        while (length != as.places && text[length])
            length++;
        simt_print_field(plain, "", 0, text, length);
        break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G':
        simt_print_float(as, printed.is_float ? simt_float_of_bits((uint32_t)word) : (float)(int32_t)word, kind);
        break;
    default: return false;
    }
    return true;
}

/* Conversions of C, with flags, width, precision and length. One that there is not, or that has no argument, is printed as it
 * stands. */
static __attribute__((unused, noinline)) int simt_printf(const char *format, const simt_printed *next, const simt_printed *end)
{
    for (; *format; format++) {
        if (*format != '%') {
            simt_putchar(*format);
            continue;
        }
        const char *begin = format++;
        simt_format as = {false, false, false, false, false, 0, -1};
        bool is_long = false;
        int halves = 0;

        for (;; format++) {
            if (*format == '-')
                as.left = true;
            else if (*format == '0')
                as.zeros = true;
            else if (*format == '+')
                as.plus = true;
            else if (*format == ' ')
                as.space = true;
            else if (*format == '#')
                as.other = true;
            else
                break;
        }
        if (*format == '*' && next != end) {
            as.width = (int)next++->word;
            format++;
            if (as.width < 0) {
                as.left = true;
                as.width = -as.width;
            }
        }
        for (; simt_is_digit(*format); format++)
            as.width = 10 * as.width + (*format - '0');
        if (*format == '.') {
            as.places = 0;
            if (*++format == '*' && next != end) {
                as.places = (int)next++->word;
                format++;
            }
            for (; simt_is_digit(*format); format++)
                as.places = 10 * as.places + (*format - '0');
        }
        for (; *format == 'h'; format++)
            halves++;
        for (; *format == 'l' || *format == 'z' || *format == 't' || *format == 'j'; format++)
            is_long = true;
        if (*format == '%' && format == begin + 1) {
            simt_putchar('%');
            continue;
        }
        if (next == end || !simt_print_one(as, *format, *next, halves, is_long))
            for (const char *p = begin; p <= format && *p; p++)
                simt_putchar(*p);
        if (!*format)
            break;
        next += next != end;
    }
    return 0;
}

template <class... All> static inline int printf(const char *format, All... all)
{
    const simt_printed list[sizeof...(All) + 1] = {simt_printed(all)..., simt_printed(0)};

    return simt_printf(format, list, list + sizeof...(All));
}

/* The grid fails: it leaves an exit code. */
static __attribute__((unused, noinline)) void simt_assert(const char *condition, const char *file, int line)
{
    printf("%s:%d: assertion fails: %s\n", file, line, condition);
    *(volatile uint32_t *)0x88 = 134;
}

#endif
