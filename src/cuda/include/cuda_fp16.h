// Half precision as a format of memory: conversions are there, arithmetic is not (compute capability 3.5 has none).
#ifndef WARPMESH_CUDA_FP16_H
#define WARPMESH_CUDA_FP16_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __CUDA_FP16_H__
#include "cuda_runtime.h"
typedef __half half;
struct __attribute__((aligned(4))) __half2 { __half x, y; };
typedef __half2 half2;
WARPMESH_BOTH __half2 __floats2half2_rn(float x, float y) { return __half2{__float2half_rn(x), __float2half_rn(y)}; }
WARPMESH_BOTH __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
WARPMESH_BOTH float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
WARPMESH_BOTH float __low2float(__half2 v) { return __half2float(v.x); }
WARPMESH_BOTH float __high2float(__half2 v) { return __half2float(v.y); }
#endif
