// make_float4 and its like.
#ifndef WARPMESH_VECTOR_FUNCTIONS_H
#define WARPMESH_VECTOR_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
