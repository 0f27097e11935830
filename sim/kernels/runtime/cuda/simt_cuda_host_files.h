/* Files that the host's program reads and writes: part of simt_cuda_host.h, within its namespace. */

static bool is_number(const char *word)
{
    char *end;

    return strtod(word, &end), end != word && !*end;
}

/* Whether a word is a whole number, and its value. It is read as such: double has not all digits of 64 bits. */
static bool is_whole(const char *word, __int128 &value)
{
    double real = strtod(word, nullptr);

    errno = 0;
    if (!word[strspn(word, "+-0123456789")])
        value = *word == '-' ? (__int128)strtoll(word, nullptr, 10) : (__int128)strtoull(word, nullptr, 10);
    else if (real == floor(real) && fabs(real) < 18446744073709551616.0)
        value = (__int128)real; /* As 1e6. */
    else
        return false;
    return !errno;
}

/* Whether a word is a number of that type, and its value. */
template <class T> bool is_number_of(const char *word, T &value)
{
    if constexpr (std::is_integral<T>()) {
        __int128 all;
        if (!is_whole(word, all))
            return false;
        value = (T)all;
        return (__int128)value == all;
    } else {
        double real = strtod(word, nullptr);
        value = (T)real;
        return isinf(value) == isinf(real);
    }
}

/* The elements of a file, one after the other as in memory, or of a .txt file, numbers between spaces. */
template <class T> void read(T *to, size_t length, const char *path)
{
    FILE *file = fopen(path, "rb");
    const char *ending = strrchr(path, '.');
    size_t found = 0;
    bool more = false;

    if (!file)
        fail("cannot read %s", path);
    if (ending && !strcmp(ending, ".txt")) {
        if constexpr (std::is_arithmetic<T>()) {
            char word[1000];
            T value;
            while (!more && fscanf(file, "%999s", word) == 1) {
                if (!is_number(word))
                    fail("%s: word %zu, %.40s, is no number; numbers stand between spaces", path, found + 1, word);
                if (!is_number_of(word, value))
                    fail("%s: word %zu, %.40s, is no value of the array's type", path, found + 1, word);
                found < length ? void(to[found++] = value) : void(more = true);
            }
        } else
            fail("%s has numbers, and the array other elements: write them as in memory, in a file of another ending", path);
    } else {
        found = fread((void *)to, sizeof(T), length, file);
        more = fgetc(file) != EOF;
    }
    fclose(file);
    if (found != length || more)
        fail("%s has %s%zu elements, and the array %zu", path, more ? "more than " : "", found, length);
}

static void save(const char *path, const void *from, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(from, 1, bytes, file) != bytes || fclose(file))
        fail("cannot write %s", path);
}

/* Saves what is read of a file, and leaves the array beside it as it is: another check may compare with that. */
template <class T> void save_read(const char *path, const T *like, size_t length, const char *from)
{
    T *read_of = (T *)calloc(length, sizeof *like);

    if (!read_of)
        fail("the host has no memory for what %s has", from);
    read(read_of, length, from);
    save(path, read_of, length * sizeof *like);
    free(read_of);
}
