// Surfaces and textures.
#ifndef WARPMESH_TEXTURE_INDIRECT_FUNCTIONS_H
#define WARPMESH_TEXTURE_INDIRECT_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
