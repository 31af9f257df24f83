// Atomics.
#ifndef WARPMESH_SM_20_ATOMIC_FUNCTIONS_H
#define WARPMESH_SM_20_ATOMIC_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
