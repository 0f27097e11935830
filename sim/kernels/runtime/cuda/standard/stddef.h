/* As the compiler's own, but without max_align_t: where double is float there is no long double. */
#ifndef SIMT_CUDA_STDDEF_H
#define SIMT_CUDA_STDDEF_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef NULL
#define NULL __null
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#endif
