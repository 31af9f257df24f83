// What the host's compiler is: clang.
#ifndef WARPMESH_HOST_CONFIG_H
#define WARPMESH_HOST_CONFIG_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
