// Votes and fences.
#ifndef WARPMESH_SM_20_INTRINSICS_H
#define WARPMESH_SM_20_INTRINSICS_H
#include "cuda_runtime.h"
#endif
