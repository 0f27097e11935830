/* CUDA's header of numbers in the format bfloat16. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "simt_cuda_float16.h"

typedef simt_float16<simt_bfloat16> __nv_bfloat16, nv_bfloat16;
typedef simt_float16_pair<__nv_bfloat16> __nv_bfloat162, nv_bfloat162;
SIMT_FLOAT16_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

#endif
