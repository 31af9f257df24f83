// Functions of both sides.
#ifndef WARPMESH_COMMON_FUNCTIONS_H
#define WARPMESH_COMMON_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
