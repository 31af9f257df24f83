// Shuffles.
#ifndef WARPMESH_SM_30_INTRINSICS_H
#define WARPMESH_SM_30_INTRINSICS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
