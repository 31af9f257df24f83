// The header of the driver interface holds types only: its functions are not there.
#ifndef WARPMESH_CUDA_H
#define WARPMESH_CUDA_H
#include "cuda_runtime.h"
#endif
