// The types of the language and the runtime.
#ifndef WARPMESH_BUILTIN_TYPES_H
#define WARPMESH_BUILTIN_TYPES_H
#pragma GCC system_header
#include "cuda_runtime.h"
#endif
