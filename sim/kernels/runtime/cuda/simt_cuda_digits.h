/* The decimal digits of a float, all of them: what printf rounds is exact, as in C. */
#ifndef SIMT_CUDA_DIGITS_H
#define SIMT_CUDA_DIGITS_H

/* Digits before the point and behind it, that a float can have. */
#define SIMT_WHOLE 39
#define SIMT_PARTS 149
/* printf writes no more than these behind the point, which shows all digits of what is not tiny. */
#define SIMT_MOST_PLACES 60
#define SIMT_TEXT (SIMT_WHOLE + SIMT_MOST_PLACES + 8)

struct simt_digits {
    /* The first SIMT_WHOLE stand before the point; `first` is the first that is not 0, `end` is behind the last one. */
    char digits[SIMT_WHOLE + SIMT_PARTS + 1];
    int first, end;

    void of(float value)
    {
        uint32_t bits = simt_bits_of_float(value) & 0x7fffffff, exponent = bits >> 23, words[9] = {};
        uint32_t mantissa = exponent ? (bits & 0x7fffff) | 0x800000 : bits;
        /* The lowest bit of words[0] is 2^-160, that of words[5] is 1. */
        uint32_t shift = (exponent ? exponent : 1) - 150 + 160;
        int low = 0;

        words[shift / 32] = mantissa << shift % 32;
        if (shift % 32 > 8)
            words[shift / 32 + 1] = mantissa >> (32 - shift % 32);
        first = SIMT_WHOLE;
        while (words[5] | words[6] | words[7] | words[8]) {
            uint32_t rest = 0;
            for (int i = 8; i >= 5; i--) {
                uint32_t high = rest << 16 | words[i] >> 16, lower = high % 10 << 16 | (words[i] & 0xffff);
                words[i] = high / 10 << 16 | lower / 10;
                rest = lower % 10;
            }
            digits[--first] = (char)rest;
        }
        for (end = SIMT_WHOLE;;) {
            while (low < 5 && !words[low])
                low++;
            if (low == 5)
                break;
            uint32_t carry = 0;
            for (int i = low; i < 5; i++) {
                uint64_t product = (uint64_t)words[i] * 10 + carry;
                words[i] = (uint32_t)product;
                carry = (uint32_t)(product >> 32);
            }
            digits[end++] = (char)carry;
        }
        while (first < end && first >= SIMT_WHOLE && !digits[first])
            first++;
    }

    int digit(int at) const { return at < first || at >= end ? 0 : digits[at]; }

    /* Nothing is left behind a place; halves go to the even digit. */
    void round(int place)
    {
        bool above = false, up;

        if (place >= end)
            return;
        for (int i = place + 1; i < end; i++)
            above = above || digit(i);
        up = digit(place) > 5 || (digit(place) == 5 && (above || digit(place - 1) & 1));
        end = place;
        if (first > place)
            first = place;
        if (!up)
            return;
        while (place > first && digits[place - 1] == 9)
            digits[--place] = 0;
        if (place > first)
            digits[place - 1]++;
        else
            digits[--first] = 1;
    }

    /* Writes the number in the manner of %f, %e or %g, and returns the length. */
    int write(char *text, char kind, int places, bool upper)
    {
        bool is_zero = first >= end, short_form = kind == 'g', scientific = kind == 'e';
        char *p = text;

        if (short_form && places == 0)
            places = 1;
        if (kind == 'f')
            round(SIMT_WHOLE + places);
        else
            round(first + places + !short_form);
        int exponent = is_zero ? 0 : SIMT_WHOLE - 1 - first;
        if (short_form) {
            scientific = exponent < -4 || exponent >= places;
            /* So many digits in all, but no zeros at the end. */
            places = scientific ? places - 1 : places - 1 - exponent;
            int last = scientific ? first : SIMT_WHOLE - 1;
            while (places && (is_zero || !digit(last + places)))
                places--;
        }
        int point = scientific && !is_zero ? first : SIMT_WHOLE - 1;
        for (int i = first < point ? first : point; i <= point; i++)
            *p++ = (char)('0' + digit(i));
        if (places)
            *p++ = '.';
        for (int i = 1; i <= places; i++)
            *p++ = (char)('0' + digit(point + i));
        if (scientific) {
            *p++ = upper ? 'E' : 'e';
            *p++ = exponent < 0 ? '-' : '+';
            exponent = exponent < 0 ? -exponent : exponent;
            *p++ = (char)('0' + exponent / 10);
            *p++ = (char)('0' + exponent % 10);
        }
        return (int)(p - text);
    }
};

#endif
