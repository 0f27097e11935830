/* CUDA's header of numbers in half precision. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "simt_cuda_float16.h"

typedef simt_float16<simt_binary16> __half, half;
typedef simt_float16_pair<__half> __half2, half2;
SIMT_FLOAT16_CONVERSIONS(__half, __half2, half, half2)

#endif
