/* What the kernel of AES of ISPASS-2009 should encrypt, written from FIPS 197, in the plainest way. */

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

/* The keys of all rounds, from the first four words (section 5.2). */
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
