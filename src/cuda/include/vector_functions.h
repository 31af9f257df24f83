// make_float4 and its like.
#ifndef WARPMESH_VECTOR_FUNCTIONS_H
#define WARPMESH_VECTOR_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
