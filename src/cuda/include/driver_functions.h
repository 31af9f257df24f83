// make_cudaExtent and its like.
#ifndef WARPMESH_DRIVER_FUNCTIONS_H
#define WARPMESH_DRIVER_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
