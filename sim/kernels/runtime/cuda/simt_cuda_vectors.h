/* CUDA's small vectors, on the core and on the host. */
#ifndef SIMT_CUDA_VECTORS_H
#define SIMT_CUDA_VECTORS_H

#define SIMT_VECTORS(type, name)                                                \
    struct name##1 { type x; };                                                 \
    struct name##2 { type x, y; };                                              \
    struct name##3 { type x, y, z; };                                           \
    struct __attribute__((aligned(4 * sizeof(type)))) name##4 { type x, y, z, w; }; \
    static inline name##1 make_##name##1(type x) { return {x}; }                \
    static inline name##2 make_##name##2(type x, type y) { return {x, y}; }     \
    static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

SIMT_VECTORS(char, char)
SIMT_VECTORS(unsigned char, uchar)
SIMT_VECTORS(short, short)
SIMT_VECTORS(unsigned short, ushort)
SIMT_VECTORS(int, int)
SIMT_VECTORS(unsigned, uint)
SIMT_VECTORS(long, long)
SIMT_VECTORS(unsigned long, ulong)
SIMT_VECTORS(long long, longlong)
SIMT_VECTORS(unsigned long long, ulonglong)
SIMT_VECTORS(float, float)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
};

/* A texture of one dimension is a pointer to its elements. */
enum cudaTextureReadMode { cudaReadModeElementType };
template <class T, int = 1, cudaTextureReadMode = cudaReadModeElementType> struct texture {
    const T *at;
};
template <class T, int n, cudaTextureReadMode mode> static inline T tex1Dfetch(const texture<T, n, mode> &from, int i)
{
    return from.at[i];
}

#endif
