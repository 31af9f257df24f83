// Fetches of texels.
#ifndef WARPMESH_TEXTURE_FETCH_FUNCTIONS_H
#define WARPMESH_TEXTURE_FETCH_FUNCTIONS_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
