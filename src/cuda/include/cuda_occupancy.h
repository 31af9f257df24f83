// How many blocks are on a core: the runtime's functions say so.
#ifndef WARPMESH_CUDA_OCCUPANCY_H
#define WARPMESH_CUDA_OCCUPANCY_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
