// Shuffles.
#ifndef WARPMESH_SM_30_INTRINSICS_H
#define WARPMESH_SM_30_INTRINSICS_H
#include "cuda_runtime.h"
#endif
