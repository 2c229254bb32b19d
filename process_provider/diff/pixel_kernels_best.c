#include "process_provider/diff/pixel_kernels.h"

#ifdef PROCTOR_AVX2
extern const struct pixel_kernels pixel_kernels_avx2;

const struct pixel_kernels *pixel_kernels_best(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? &pixel_kernels_avx2
               : &pixel_kernels_plain;
}

#else

const struct pixel_kernels *pixel_kernels_best(void)
{
    return &pixel_kernels_plain;
}

#endif
