// Atomics.
#ifndef WARPMESH_SM_12_ATOMIC_FUNCTIONS_H
#define WARPMESH_SM_12_ATOMIC_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
