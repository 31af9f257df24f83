// Types of device code.
#ifndef WARPMESH_DEVICE_TYPES_H
#define WARPMESH_DEVICE_TYPES_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
