// cudaProfilerStart and cudaProfilerStop.
#ifndef WARPMESH_CUDA_PROFILER_API_H
#define WARPMESH_CUDA_PROFILER_API_H
#include "cuda_runtime.h"
#endif
