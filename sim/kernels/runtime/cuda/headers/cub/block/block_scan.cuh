/* CUB's, of a block. */
#include "../cub.cuh"
