/* The digests that the kernels of STO of ISPASS-2009 should find, written from FIPS 180-4 and RFC 1321, in the plainest way. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

static unsigned rotated(unsigned word, int by) { return word << by | word >> (32 - by); }

/* A block of 16 words, by SHA-1 (FIPS 180-4, section 6.1.2). */
static void sha1_block(unsigned *state, const unsigned *words)
{
    static const unsigned constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    unsigned all[80], s[5];

    memcpy(s, state, sizeof s);
    for (int i = 0; i < 80; i++) {
        unsigned b = s[1], c = s[2], d = s[3];
        unsigned mixed = i / 20 == 0 ? (b & c) | (~b & d) : i / 20 == 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;

        all[i] = i < 16 ? words[i] : rotated(all[i - 3] ^ all[i - 8] ^ all[i - 14] ^ all[i - 16], 1);
        mixed += rotated(s[0], 5) + s[4] + constants[i / 20] + all[i];
        memmove(s + 1, s, 4 * sizeof *s);
        s[0] = mixed;
        s[2] = rotated(b, 30);
    }
    for (int i = 0; i < 5; i++)
        state[i] += s[i];
}

/* A block of 16 words, by MD5 (RFC 1321, section 3.4). */
static void md5_block(unsigned *state, const unsigned *words)
{
    static const int steps[4] = {1, 5, 3, 7}, starts[4] = {0, 1, 5, 0};
    static const int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    unsigned s[4];

    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        int round = i / 16;
        unsigned b = s[1], c = s[2], d = s[3];
        unsigned mixed = round == 0   ? (b & c) | (~b & d)
                         : round == 1 ? (b & d) | (c & ~d)
                         : round == 2 ? b ^ c ^ d
                                      : c ^ (b | ~d);

        mixed += s[0] + words[(i * steps[round] + starts[round]) % 16] + (unsigned)(4294967296.0 * fabs(sin(i + 1)));
        s[0] = d;
        s[1] = b + rotated(mixed, rotations[round][i % 4]);
        s[2] = b;
        s[3] = c;
    }
    for (int i = 0; i < 4; i++)
        state[i] += s[i];
}

/* The first bytes of a digest. Both methods put 0x80, zeros and how many bits there are, in 64 bits, behind the bytes; SHA-1 has
 * the high byte of a word first. */
static void sto_digest(const unsigned char *bytes, int count, bool sha1, unsigned char *digest, int size)
{
    unsigned state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

    for (int block = 0; block < (count + 9 + 63) / 64; block++) {
        unsigned words[16] = {0};

        for (int at = 64 * block; at <= count && at < 64 * (block + 1); at++)
            words[at / 4 % 16] |= (at < count ? bytes[at] : 0x80u) << 8 * (sha1 ? 3 - at % 4 : at % 4);
        if (count + 9 <= 64 * (block + 1))
            words[sha1 ? 15 : 14] = 8 * count;
        (sha1 ? sha1_block : md5_block)(state, words);
    }
    for (int at = 0; at < size; at++)
        digest[at] = state[at / 4] >> 8 * (sha1 ? 3 - at % 4 : at % 4);
}

/* The digests of parts of the buffer that begin `apart` bytes from one another. */
void sto_sha1(const unsigned char *buffer, int part, int apart, int parts, unsigned char *digests, int size)
{
    for (int i = 0; i < parts; i++)
        sto_digest(buffer + i * apart, part, true, digests + i * size, size);
}

/* The digests of parts of the buffer behind one another. What the last one lacks is filled with zeros. */
void sto_md5(unsigned char *buffer, int bytes, int part, int parts, unsigned char *digests, int size)
{
    memset(buffer + bytes, 0, part * parts - bytes);
    for (int i = 0; i < parts; i++)
        sto_digest(buffer + i * part, part, false, digests + i * size, size);
}
