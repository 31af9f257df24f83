// Atomics.
#ifndef WARPMESH_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPMESH_DEVICE_ATOMIC_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
