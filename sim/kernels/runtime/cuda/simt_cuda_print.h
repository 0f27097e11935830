/* printf to the console, and assert. */
#ifndef SIMT_CUDA_PRINT_H
#define SIMT_CUDA_PRINT_H

static __attribute__((unused)) void simt_print_number(uint32_t value, uint32_t base, int width, char fill, bool minus)
{
    char digits[12], *p = digits + sizeof digits;
    int length;

    do {
        *--p = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    length = digits + sizeof digits - p + minus;
    if (minus && fill == '0')
        simt_putchar('-');
    for (; length < width; width--)
        simt_putchar(fill);
    if (minus && fill != '0')
        simt_putchar('-');
    while (p != digits + sizeof digits)
        simt_putchar(*p++);
}

/* So many digits behind the point, at most 7, of numbers up to 2^32; others as inf. */
static __attribute__((unused)) void simt_print_float(float value, int places, int width)
{
    uint32_t scale = 1, whole, part;

    if (value != value)
        return simt_print("nan");
    if (simt_abs(value) >= 4294967040.0f)
        return simt_print(value < 0 ? "-inf" : "inf");
    places = places < 0 ? 6 : places > 7 ? 7 : places;
    for (int i = 0; i < places; i++)
        scale *= 10;
    whole = (uint32_t)simt_abs(value);
    /* Exact: both are multiples of the last bit of the value. */
    part = (uint32_t)((simt_abs(value) - (float)whole) * (float)scale + 0.5f);
    if (part >= scale) {
        part -= scale;
        whole++;
    }
    simt_print_number(whole, 10, width - (places ? places + 1 : 0), ' ', simt_bits_of_float(value) >> 31);
    if (places) {
        simt_putchar('.');
        simt_print_number(part, 10, places, '0', false);
    }
}

/* What printf takes: a float as its bits, so that no double is passed; the rest as words. */
struct simt_printed {
    uint32_t word;
    bool is_float;
    simt_printed(float value) : word(simt_bits_of_float(value)), is_float(true) {}
    simt_printed(const void *value) : word((uint32_t)value), is_float(false) {}
    template <class T> simt_printed(T value) : word((uint32_t)value), is_float(false) {}
};

/* %d %i %u %x %c %s %f %g %e (the last two as %f) %p %%, with 0, a width and a precision; lengths (l, h, z) mean nothing. */
static __attribute__((unused, noinline)) int simt_printf(const char *format, const simt_printed *next, const simt_printed *end)
{
    for (; *format; format++) {
        if (*format != '%') {
            simt_putchar(*format);
            continue;
        }
        char fill = *++format == '0' ? '0' : ' ';
        int width = 0, places = -1;
        for (; *format >= '0' && *format <= '9'; format++)
            width = 10 * width + (*format - '0');
        if (*format == '.')
            for (places = 0, format++; *format >= '0' && *format <= '9'; format++)
                places = 10 * places + (*format - '0');
        while (*format == 'l' || *format == 'h' || *format == 'z')
            format++;
        if (!*format)
            break;
        if (*format == '%' || next == end) {
            simt_putchar(*format);
            continue;
        }
        uint32_t word = next->word;
        bool is_float = next++->is_float;
        switch (*format) {
        case 'c': simt_putchar((char)word); break;
        case 's': simt_print((const char *)word); break;
        case 'x': case 'X': simt_print_number(word, 16, width, fill, false); break;
        case 'p': simt_print_hex(word); break;
        case 'u': simt_print_number(word, 10, width, fill, false); break;
        case 'f': case 'g': case 'e':
            simt_print_float(is_float ? simt_float_of_bits(word) : (float)(int32_t)word, places, width);
            break;
        default: simt_print_number((int32_t)word < 0 ? -word : word, 10, width, fill, (int32_t)word < 0);
        }
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
