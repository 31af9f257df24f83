// Texture references.
#ifndef WARPMESH_CUDA_TEXTURE_TYPES_H
#define WARPMESH_CUDA_TEXTURE_TYPES_H
#include "cuda_runtime.h"
#endif
