// make_cudaExtent and its like.
#ifndef WARPMESH_DRIVER_FUNCTIONS_H
#define WARPMESH_DRIVER_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
