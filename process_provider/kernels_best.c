#include "process_provider/kernels.h"

#ifdef PROCTOR_AVX2
extern const struct kernels kernels_avx2;

const struct kernels *kernels_best(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? &kernels_avx2
               : &kernels_plain;
}

#else

const struct kernels *kernels_best(void)
{
    return &kernels_plain;
}

#endif
