//! Sources that kernels and programs are compiled with.

/// The runtime that every kernel is linked with.
pub(super) const RUNTIME: &[(&str, &str)] = &[
    ("simt.h", include_str!("../../sim/kernels/runtime/simt.h")),
    ("simt_math.h", include_str!("../../sim/kernels/runtime/simt_math.h")),
    ("measure.h", include_str!("../../sim/kernels/runtime/measure.h")),
    ("start.S", include_str!("../../sim/kernels/runtime/start.S")),
    ("stack.h", include_str!("../../sim/kernels/runtime/stack.h")),
    ("runtime.c", include_str!("../../sim/kernels/runtime/runtime.c")),
    ("integers.c", include_str!("../../sim/kernels/runtime/integers.c")),
    ("link.ld", include_str!("../../sim/kernels/runtime/link.ld")),
    ("simt_grid.h", include_str!("../../sim/kernels/runtime/simt_grid.h")),
    ("grid.ld", include_str!("../../sim/kernels/runtime/grid.ld")),
];

/// What `.cu` files have besides.
pub(super) const CUDA_RUNTIME: &[(&str, &str)] = &[
    ("simt_cuda.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda.h")),
    ("simt_cuda_elements.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_elements.h")),
    ("simt_cuda_warp.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_warp.h")),
    ("simt_cuda_atomics.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_atomics.h")),
    ("simt_cuda_groups.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_groups.h")),
    ("simt_cuda_vectors.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_vectors.h")),
    ("simt_cuda_math.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_math.h")),
    ("simt_cuda_parts.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_parts.h")),
    ("simt_cuda_intrinsics.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_intrinsics.h")),
    ("simt_cuda_inverse.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_inverse.h")),
    ("simt_cuda_digits.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_digits.h")),
    ("simt_cuda_print.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_print.h")),
    ("simt_cuda_standard.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_standard.h")),
    ("simt_cuda_float16.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_float16.h")),
    ("simt_cuda_host.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_host.h")),
    ("simt_cuda_host_files.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_host_files.h")),
    ("headers/cub/cub.cuh", include_str!("../../sim/kernels/runtime/cuda/headers/cub/cub.cuh")),
    (
        "headers/cub/block/block_reduce.cuh",
        include_str!("../../sim/kernels/runtime/cuda/headers/cub/block/block_reduce.cuh"),
    ),
    (
        "headers/cub/block/block_scan.cuh",
        include_str!("../../sim/kernels/runtime/cuda/headers/cub/block/block_scan.cuh"),
    ),
    (
        "headers/cub/warp/warp_reduce.cuh",
        include_str!("../../sim/kernels/runtime/cuda/headers/cub/warp/warp_reduce.cuh"),
    ),
    ("headers/cuda_bf16.h", include_str!("../../sim/kernels/runtime/cuda/headers/cuda_bf16.h")),
    ("headers/cuda_fp16.h", include_str!("../../sim/kernels/runtime/cuda/headers/cuda_fp16.h")),
    ("headers/cutil_math.h", include_str!("../../sim/kernels/runtime/cuda/headers/cutil_math.h")),
    ("headers/helper_math.h", include_str!("../../sim/kernels/runtime/cuda/headers/helper_math.h")),
    ("standard/stddef.h", include_str!("../../sim/kernels/runtime/cuda/standard/stddef.h")),
    ("standard/stdint.h", include_str!("../../sim/kernels/runtime/cuda/standard/stdint.h")),
];

/// The runtime of programs in the manner of Vortex.
pub(super) const VORTEX_RUNTIME: &[(&str, &str)] = &[
    ("gpu.h", include_str!("../../sim/kernels/vortex/gpu.h")),
    ("start.S", include_str!("../../sim/kernels/vortex/start.S")),
    ("launch.c", include_str!("../../sim/kernels/vortex/launch.c")),
    ("link.ld", include_str!("../../sim/kernels/vortex/link.ld")),
];
