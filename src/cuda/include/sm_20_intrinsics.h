// Votes and fences.
#ifndef WARPMESH_SM_20_INTRINSICS_H
#define WARPMESH_SM_20_INTRINSICS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
