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
#define NARROW_DUPLICATE __bfloat162bfloat162
#define NARROW_BITS(x) warpmesh_float_as_bfloat16(x)
#define NARROW_FLOAT(bits) warpmesh_bfloat16_as_float(bits)
#define NARROW_FMA(a, b, c) warpmesh_float_as_bfloat16(fmaf(a, b, c))
#include "narrow_float.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
