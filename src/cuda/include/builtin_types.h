// The types of the language and the runtime.
#ifndef WARPMESH_BUILTIN_TYPES_H
#define WARPMESH_BUILTIN_TYPES_H
#include "cuda_runtime.h"
#endif
