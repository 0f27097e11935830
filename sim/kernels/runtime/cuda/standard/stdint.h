/* As the compiler's own, but 32 bits are an int, as on the host, and no long. */
#ifndef SIMT_CUDA_STDINT_H
#define SIMT_CUDA_STDINT_H

#undef __INT32_TYPE__
#undef __UINT32_TYPE__
#define __INT32_TYPE__ int
#define __UINT32_TYPE__ unsigned int
#include_next <stdint.h>

#endif
