/* The name that helper_math.h had in CUDA's older samples. */
#include "helper_math.h"
