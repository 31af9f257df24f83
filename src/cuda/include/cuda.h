// The header of the driver interface: its types and results.
#ifndef WARPMESH_CUDA_H
#define WARPMESH_CUDA_H
#pragma GCC system_header
// By this name other headers ask whether this one has been included.
#define __cuda_cuda_h__

#include <stdint.h>
#include <stdlib.h>

#include "cuda_runtime.h"

#define CUDA_VERSION 11000

typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101, CUDA_ERROR_UNKNOWN = 999 } CUresult;

#endif
