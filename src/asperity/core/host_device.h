// Marks a function that must compile for the CPU and, under nvcc, for a GPU thread as well.
#pragma once

#ifdef __CUDACC__
#define ASPERITY_HD __host__ __device__
#else
#define ASPERITY_HD
#endif
