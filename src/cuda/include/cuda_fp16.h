// Half precision (IEEE binary16): 11 bits of significand. Sums, products, quotients and square roots in single precision, rounded again, are
// correctly rounded, as 24 >= 2 * 11 + 2 (Figueroa, 1995).
#ifndef WARPMESH_CUDA_FP16_H
#define WARPMESH_CUDA_FP16_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__
#include "narrow_float_rounding.h"

WARPMESH_BOTH float warpmesh_half_as_float(unsigned h) {
  unsigned magnitude = h & 0x7fffu, bits = magnitude << 13;
  // Exponents of half precision begin 112 lower; 2^-24 is the unit of subnormal ones.
  float x = magnitude >= 0x7c00u   ? warpmesh_float_of(bits | 0x7f800000u)
            : magnitude >= 0x400u ? warpmesh_float_of(bits + (112u << 23))
                                  : (float)(int)magnitude * 5.9604644775390625e-8f;
  return h & 0x8000u ? -x : x;
}
WARPMESH_BOTH unsigned warpmesh_float_as_half(float x) {
  unsigned bits = warpmesh_bits_of(x), sign = bits >> 16 & 0x8000u, result;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u)
    result = 0x7fffu;
  else if (bits >= 0x477ff000u)
    result = 0x7c00u;
  else if (bits < 0x38800000u)
    // The sum has the bits of a subnormal result at its end, rounded.
    result = warpmesh_bits_of(warpmesh_float_of(bits) + 0.5f) - 0x3f000000u;
  else
    result = (bits - (112u << 23) + 0xfffu + (bits >> 13 & 1u)) >> 13;
  return sign | result;
}
// The product is exact; the sum is rounded to odd by the error of a sum (Knuth), then to half precision.
WARPMESH_BOTH unsigned warpmesh_half_fma(float a, float b, float c) {
  float product = a * b, sum = product + c, of_c = sum - product, lost = (product - (sum - of_c)) + (c - of_c);
  unsigned bits = warpmesh_bits_of(sum);
  if (lost != 0 && !(bits & 1u) && (bits & 0x7f800000u) != 0x7f800000u)
    bits = (lost > 0) == (sum > 0) ? bits | 1u : bits - 1u;
  return warpmesh_float_as_half(warpmesh_float_of(bits));
}

#define NARROW __half
#define NARROW2 __half2
#define NARROW_RAW __half_raw
#define NARROW2_RAW __half2_raw
#define NARROW_NAME(a, b) a##half##b
#define NARROW_DUPLICATE __half2half2
#define NARROW_BITS(x) warpmesh_float_as_half(x)
#define NARROW_FLOAT(bits) warpmesh_half_as_float(bits)
#define NARROW_FMA(a, b, c) warpmesh_half_fma(a, b, c)
#include "narrow_float.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_ZERO_FP16 __ushort_as_half(0)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(1)
#endif
