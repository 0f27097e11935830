/* CUDA's header of numbers in half precision. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "simt_cuda_small.h"

typedef simt_small<simt_binary16> __half, half;
typedef simt_pair<__half> __half2, half2;
SIMT_SMALL_CONVERSIONS(__half, __half2, half, half2)

#endif
