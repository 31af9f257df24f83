// Types of device code.
#ifndef WARPMESH_DEVICE_TYPES_H
#define WARPMESH_DEVICE_TYPES_H
#include "cuda_runtime.h"
#endif
