// Atomics.
#ifndef WARPMESH_SM_12_ATOMIC_FUNCTIONS_H
#define WARPMESH_SM_12_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
