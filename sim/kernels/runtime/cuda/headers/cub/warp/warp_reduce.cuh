/* CUB's, of a warp. */
#include "../cub.cuh"
