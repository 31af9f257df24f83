// Functions of the runtime.
#ifndef WARPMESH_CUDA_DEVICE_RUNTIME_API_H
#define WARPMESH_CUDA_DEVICE_RUNTIME_API_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
