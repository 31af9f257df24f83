// A function that calls one of its own, for a library.
#include "shared.h"

namespace {
__device__ int offset = 1;
__device__ __noinline__ int own(int x) { return twice(x) * x / 2 + offset; }
}
__device__ int deep(int x) { return own(x) + (offset - 1); }
