// Texture references.
#ifndef WARPMESH_CUDA_TEXTURE_TYPES_H
#define WARPMESH_CUDA_TEXTURE_TYPES_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
