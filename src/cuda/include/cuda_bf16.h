// bfloat16: the upper half of a float, 8 bits of significand. As on devices below compute capability 8.0, each operation is one of single
// precision, a * b + c an exact product with one rounding of the sum, whose result is rounded to bfloat16.
#ifndef WARPMESH_CUDA_BF16_H
#define WARPMESH_CUDA_BF16_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
#include "narrow_float_rounding.h"

WARPMESH_BOTH float warpmesh_bfloat16_as_float(unsigned b) { return warpmesh_float_of(b << 16); }
WARPMESH_BOTH unsigned warpmesh_float_as_bfloat16(float x) {
  unsigned bits = warpmesh_bits_of(x);
  return x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

#define NARROW __nv_bfloat16
#define NARROW2 __nv_bfloat162
#define NARROW_RAW __nv_bfloat16_raw
#define NARROW2_RAW __nv_bfloat162_raw
#define NARROW_NAME(a, b) a##bfloat16##b
#define NARROW_BITS(x) warpmesh_float_as_bfloat16(x)
#define NARROW_FLOAT(bits) warpmesh_bfloat16_as_float(bits)
#define NARROW_FMA(a, b, c) warpmesh_float_as_bfloat16(fmaf(a, b, c))
#include "narrow_float.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WARPMESH_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
WARPMESH_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
WARPMESH_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
WARPMESH_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) { return __bfloat162bfloat162(__float2bfloat16_rn(x)); }
WARPMESH_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162(__float2bfloat16_rn(x), __float2bfloat16_rn(y)); }
WARPMESH_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
WARPMESH_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(__bfloat162float(v.x), __bfloat162float(v.y)); }
WARPMESH_BOTH float __low2float(__nv_bfloat162 v) { return __bfloat162float(v.x); }
WARPMESH_BOTH float __high2float(__nv_bfloat162 v) { return __bfloat162float(v.y); }
WARPMESH_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
WARPMESH_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
WARPMESH_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
WARPMESH_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
WARPMESH_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
WARPMESH_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
WARPMESH_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }

#include "narrow_float_end.h"
#endif
