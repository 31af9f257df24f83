// cudaProfilerStart and cudaProfilerStop.
#ifndef WARPMESH_CUDA_PROFILER_API_H
#define WARPMESH_CUDA_PROFILER_API_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
