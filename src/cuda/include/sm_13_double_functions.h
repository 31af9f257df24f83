// Double precision.
#ifndef WARPMESH_SM_13_DOUBLE_FUNCTIONS_H
#define WARPMESH_SM_13_DOUBLE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
