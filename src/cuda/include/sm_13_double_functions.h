// Double precision.
#ifndef WARPMESH_SM_13_DOUBLE_FUNCTIONS_H
#define WARPMESH_SM_13_DOUBLE_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
