/* What the kernels of ISPASS-2009 should compute, written from what each is for, in the plainest way that computes it. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void lps_steps(float *field, float *next, int nx, int ny, int nz, int steps)
{
    for (int step = 0; step < steps; step++) {
        memcpy(next, field, sizeof *next * nx * ny * nz);
        for (int z = 1; z < nz - 1; z++)
            for (int y = 1; y < ny - 1; y++)
                for (int x = 1; x < nx - 1; x++) {
                    const float *here = field + (z * ny + y) * nx + x;
                    next[here - field] = (here[-1] + here[1] + here[-nx] + here[nx] + here[-nx * ny] + here[nx * ny]) / 6;
                }
        memcpy(field, next, sizeof *next * nx * ny * nz);
    }
}

/* Of each atom x, y, the square of its distance from the plane, and its charge. */
void cp_energy(const float *atoms, int count, float spacing, float *energy, int width, int height)
{
    for (int i = 0; i < width * height; i++) {
        double sum = 0;
        for (const float *atom = atoms; atom < atoms + 4 * count; atom += 4) {
            double dx = i % width * spacing - atom[0], dy = i / width * spacing - atom[1];
            sum += atom[3] / sqrt(dx * dx + dy * dy + atom[2]);
        }
        energy[i] += sum;
    }
}

static int threatened(unsigned columns, unsigned left, unsigned right) { return columns | left | right; }

/* All ways to fill the first rows: the columns that queens have, and those that they threaten in the next row. */
static void starts(int queens, int rows, unsigned now[3], unsigned *to[3], int *count)
{
    if (!rows) {
        for (int i = 0; i < 3; i++)
            to[i][*count] = now[i];
        ++*count;
        return;
    }
    for (unsigned bit = 1; bit < 1u << queens; bit <<= 1)
        if (!(threatened(now[0], now[1], now[2]) & bit)) {
            unsigned next[3] = {now[0] | bit, (now[1] | bit) << 1, (now[2] | bit) >> 1};
            starts(queens, rows - 1, next, to, count);
        }
}

void nqu_starts(int queens, int rows, unsigned *columns, unsigned *left, unsigned *right, int *count)
{
    unsigned now[3] = {0, 0, 0}, *to[3] = {columns, left, right};

    *count = 0;
    starts(queens, rows, now, to, count);
}

static int ways(int queens, unsigned columns, unsigned left, unsigned right)
{
    int sum = 0;

    if (columns == (1u << queens) - 1)
        return 1;
    for (unsigned bit = 1; bit < 1u << queens; bit <<= 1)
        if (!(threatened(columns, left, right) & bit))
            sum += ways(queens, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    return sum;
}

/* The sum of each block. */
void nqu_ways(int queens, const unsigned *columns, const unsigned *left, const unsigned *right, int count, int block,
              unsigned *sums)
{
    for (int i = 0; i < count; i++)
        sums[i / block] = (i % block ? sums[i / block] : 0) + ways(queens, columns[i], left[i], right[i]);
}

/* A number, and how it changes with the last of the rates at the start. */
struct moving {
    double value, slope;
};

static struct moving times(struct moving a, struct moving b)
{
    return (struct moving){a.value * b.value, a.value * b.slope + a.slope * b.value};
}

/* What a unit of money is worth a period earlier, at this rate. */
static struct moving discount(struct moving rate, double period)
{
    double factor = 1 / (1 + period * rate.value);

    return (struct moving){factor, -period * rate.slope * factor * factor};
}

/* A step of the LIBOR market model of each rate from `first` on, by the same random number. */
static void lib_step(struct moving *rates, int first, int count, const float *volatility, double period)
{
    struct moving drift = {0, 0};

    for (int i = first; i < count; i++) {
        double part = period * volatility[i - first];
        struct moving worth = discount(rates[i], period);

        /* L / (1 + d L) is (1 - 1 / (1 + d L)) / d. */
        drift.value += part * (1 - worth.value) / period;
        drift.slope -= part * worth.slope / period;
        double growth = exp(part * drift.value + volatility[i - first] * (sqrt(period) * 0.3 - 0.5 * part));
        rates[i] = times(rates[i], (struct moving){growth, growth * part * drift.slope});
    }
}

/* All paths are the same: the program has a constant in place of random numbers. */
void lib_portfolio(const int *due, const float *agreed, const float *volatility, int options, int count, int steps,
                   double period, float *values, float *again, float *slopes, int paths)
{
    struct moving rates[count], sum = {0, 0}, bond = {1, 0}, annuity = {0, 0};

    for (int i = 0; i < count; i++)
        rates[i] = (struct moving){0.05, i == count - 1};
    for (int step = 0; step < steps; step++)
        lib_step(rates, step + 1, count, volatility, period);
    for (int i = steps; i < count; i++) {
        bond = times(bond, discount(rates[i], period));
        annuity = (struct moving){annuity.value + period * bond.value, annuity.slope + period * bond.slope};
        for (int k = 0; k < options; k++) {
            double swap = bond.value + agreed[k] * annuity.value - 1;

            if (due[k] == i - steps + 1 && swap < 0) {
                sum.value -= 100 * swap;
                sum.slope -= 100 * (bond.slope + agreed[k] * annuity.slope);
            }
        }
    }
    for (int i = 0; i < steps; i++)
        sum = times(sum, discount(rates[i], period));
    for (int path = 0; path < paths; path++) {
        values[path] = again[path] = sum.value;
        slopes[path] = sum.slope;
    }
}

/* What a neuron makes of its sum. */
static double answer(double sum) { return 1.7159 * tanh(2.0 / 3 * sum); }

/* Windows of 5 x 5 of all maps of a side, two apart, into maps of a smaller side. The weights of each begin with one that is
 * added as it is; then those of the same place of all maps are together. */
void nn_convolution(const float *from, const float *weights, float *to, int maps, int side, int new_maps, int new_side,
                    int images)
{
    for (int i = 0; i < images * new_maps * new_side * new_side; i++) {
        int x = i % new_side, y = i / new_side % new_side, map = i / new_side / new_side % new_maps;
        const float *image = from + i / new_side / new_side / new_maps * maps * side * side;
        const float *weight = weights + map * 26 * maps;
        double sum = *weight++;

        for (int place = 0; place < 25; place++)
            for (int k = 0; k < maps; k++)
                sum += image[(k * side + 2 * y + place / 5) * side + 2 * x + place % 5] * *weight++;
        to[i] = answer(sum);
    }
}

/* Each neuron sees all of the layer before. */
void nn_layer(const float *from, const float *weights, float *to, int count, int new_count, int images)
{
    for (int i = 0; i < images * new_count; i++) {
        const float *weight = weights + i % new_count * (count + 1);
        double sum = *weight++;

        for (int k = 0; k < count; k++)
            sum += from[i / new_count * count + k] * *weight++;
        to[i] = answer(sum);
    }
}

/* The product in AES's field (FIPS 197, section 4.2). */
static unsigned aes_product(unsigned a, unsigned b)
{
    unsigned product = 0;

    for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11b : 0))
        product ^= b & 1 ? a : 0;
    return product;
}

/* What a byte is substituted by: its inverse, of which each bit is combined with four others (section 5.1.1). */
static unsigned aes_substituted(unsigned byte)
{
    unsigned inverse = 0, bits;

    while (byte && aes_product(byte, inverse) != 1)
        inverse++;
    bits = inverse * 0x101;
    return (inverse ^ bits >> 4 ^ bits >> 5 ^ bits >> 6 ^ bits >> 7 ^ 0x63) & 0xff;
}

/* Words hold the bytes of a column, the first one lowest. */
static unsigned aes_substituted_word(unsigned word)
{
    unsigned all = 0;

    for (int byte = 0; byte < 32; byte += 8)
        all |= aes_substituted(word >> byte & 0xff) << byte;
    return all;
}

/* The keys of all rounds, from that of the first (section 5.2). */
void aes_expand(unsigned *keys)
{
    unsigned constant = 1;

    for (int i = 4; i < 44; i++) {
        unsigned word = keys[i - 1];

        if (i % 4 == 0) {
            word = aes_substituted_word(word >> 8 | word << 24) ^ constant;
            constant = aes_product(constant, 2);
        }
        keys[i] = keys[i - 4] ^ word;
    }
}

/* Each block of four words on its own (section 5.1). */
void aes_encrypt(const unsigned *keys, const unsigned *plain, unsigned *cipher, int words)
{
    static const unsigned mix[4] = {2, 3, 1, 1};

    for (int block = 0; block < words; block += 4) {
        unsigned state[4];

        for (int column = 0; column < 4; column++)
            state[column] = plain[block + column] ^ keys[column];
        for (int round = 1; round <= 10; round++) {
            unsigned before[4], shifted[4] = {0};

            for (int column = 0; column < 4; column++)
                before[column] = aes_substituted_word(state[column]);
            for (int at = 0; at < 16; at++)
                shifted[at / 4] |= before[(at / 4 + at % 4) % 4] & 0xffu << at % 4 * 8;
            for (int column = 0; column < 4; column++) {
                unsigned mixed = 0;

                for (int at = 0; at < 16; at++) {
                    unsigned byte = shifted[column] >> at / 4 * 8 & 0xff;

                    mixed ^= aes_product(byte, mix[(at / 4 - at % 4 + 4) % 4]) << at % 4 * 8;
                }
                state[column] = (round < 10 ? mixed : shifted[column]) ^ keys[4 * round + column];
            }
        }
        for (int column = 0; column < 4; column++)
            cipher[block + column] = state[column];
    }
}

/* Steps from node 0, or -1; each node has its first edge and their number. Returns how many rounds find all of them. */
int bfs_levels(const int *nodes, const int *edges, int count, int *levels)
{
    int *found = (int *)malloc(count * sizeof *found), rounds = 0;

    for (int i = 0; i < count; i++)
        found[i] = i ? -1 : 0;
    for (bool more = true; more; rounds++) {
        more = false;
        for (int node = 0; node < count; node++)
            for (int i = 0; found[node] == rounds && i < nodes[2 * node + 1]; i++)
                if (found[edges[nodes[2 * node] + i]] < 0) {
                    found[edges[nodes[2 * node] + i]] = rounds + 1;
                    more = true;
                }
    }
    if (levels)
        memcpy(levels, found, count * sizeof *found);
    free(found);
    return rounds;
}

/* No node is left to step from, and those that were reached are known. */
void bfs_ends(const int *levels, bool *mask, bool *visited, int count)
{
    for (int i = 0; i < count; i++) {
        mask[i] = false;
        visited[i] = levels[i] >= 0;
    }
}

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

/* Of parts of the buffer that begin some bytes apart. */
void sto_sha1(const unsigned char *buffer, int part, int apart, int parts, unsigned char *digests, int size)
{
    for (int i = 0; i < parts; i++)
        sto_digest(buffer + i * apart, part, true, digests + i * size, size);
}

/* Of parts of the buffer behind one another, the last one filled with zeros. */
void sto_md5(unsigned char *buffer, int bytes, int part, int parts, unsigned char *digests, int size)
{
    memset(buffer + bytes, 0, part * parts - bytes);
    for (int i = 0; i < parts; i++)
        sto_digest(buffer + i * part, part, false, digests + i * size, size);
}
