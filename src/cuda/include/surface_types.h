// Surfaces and textures.
#ifndef WARPMESH_SURFACE_TYPES_H
#define WARPMESH_SURFACE_TYPES_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
