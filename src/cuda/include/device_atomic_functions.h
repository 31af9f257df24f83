// Atomics.
#ifndef WARPMESH_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPMESH_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
