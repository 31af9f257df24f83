// Atomics.
#ifndef WARPMESH_SM_20_ATOMIC_FUNCTIONS_H
#define WARPMESH_SM_20_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
