// What cuda_fp16.h and cuda_bf16.h share and is not of one format: floats that are rounded again without being rounded twice.
#ifndef WARPMESH_NARROW_FLOAT_ROUNDING_H
#define WARPMESH_NARROW_FLOAT_ROUNDING_H
#pragma GCC system_header
#include "cuda_runtime.h"

WARPMESH_BOTH unsigned warpmesh_bits_of(float x) { unsigned bits; __builtin_memcpy(&bits, &x, 4); return bits; }
WARPMESH_BOTH float warpmesh_float_of(unsigned bits) { float x; __builtin_memcpy(&x, &bits, 4); return x; }

// Rounded to odd: towards zero, and the last bit set if that lost anything. A second rounding to fewer bits is then as one (Boldo and Melquiond, 2008).
WARPMESH_BOTH float warpmesh_sticky(double x) {
  float near = (float)x;
  double back = near;
  if (back == x || x != x || (warpmesh_bits_of(near) & 0x7fffffffu) == 0x7f800000u)
    return near;
  bool away = x < 0 ? back < x : back > x;
  return warpmesh_float_of((warpmesh_bits_of(near) - away) | 1u);
}
WARPMESH_BOTH float warpmesh_sticky(unsigned long long x) {
  int shift = 0;
  unsigned long long kept = x;
  for (; kept >> 24; kept >>= 1)
    ++shift;
  float result = (float)(int)((unsigned)kept | ((kept << shift) != x));
  for (; shift > 0; --shift)
    result *= 2;
  return result;
}
WARPMESH_BOTH float warpmesh_sticky(long long x) {
  float size = warpmesh_sticky(x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x);
  return x < 0 ? -size : size;
}

// As the device converts: what is too large gives the last number, what is none zero.
template <class T> WARPMESH_BOTH T warpmesh_saturated(float x) {
  const bool is_signed = (T)-1 < (T)0;
  const unsigned long long bits = 8 * sizeof(T) - is_signed, most = bits == 64 ? ~0ull : (1ull << bits) - 1;
  float end = 1;
  for (unsigned bit = 0; bit < bits; ++bit)
    end *= 2;
  return x != x ? (T)0 : x >= end ? (T)most : x < (is_signed ? -end : 0.0f) ? (T)(is_signed ? 0 - most - 1 : 0) : (T)x;
}

WARPMESH_BOTH bool warpmesh_unordered(float x, float y) { return x != x || y != y; }
WARPMESH_BOTH float warpmesh_clamped(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
#endif
