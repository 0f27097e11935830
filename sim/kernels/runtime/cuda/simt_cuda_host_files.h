/* Files that the host's program reads and writes: part of simt_cuda_host.h, within its namespace. */

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
        double number;
        while (fscanf(file, "%lf", &number) == 1)
            if constexpr (std::is_arithmetic<T>())
                found < length ? void(to[found++] = (T)number) : void(more = true);
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
