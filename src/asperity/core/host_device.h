// ASPERITY_HD marks a function that must compile for the CPU and, under nvcc, for a GPU thread as well.
// ASPERITY_ALWAYS_INLINE is for operations of a few flops: the compiler alone may leave a call to them, to a copy that the linker may have
// taken from a file compiled for size.
#pragma once

#ifdef __CUDACC__
#define ASPERITY_HD __host__ __device__
#else
#define ASPERITY_HD
#endif
#define ASPERITY_ALWAYS_INLINE [[gnu::always_inline]] inline
