// Short vectors, as CUDA C has them: names, members and alignments are those of the language.
#ifndef WARPMESH_VECTOR_TYPES_H
#define WARPMESH_VECTOR_TYPES_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __VECTOR_TYPES_H__
#define __BUILTIN_TYPES_H__
#define __DEVICE_TYPES_H__

#include "host_defines.h"

#define WARPMESH_VECTORS(name, scalar, align2, align4)                                                                                                                   \
  typedef struct name##1 { scalar x; } name##1;                                                                                                                                          \
  typedef struct __attribute__((aligned(align2))) name##2 { scalar x, y; } name##2;                                                                                                      \
  typedef struct name##3 { scalar x, y, z; } name##3;                                                                                                                                    \
  typedef struct __attribute__((aligned(align4))) name##4 { scalar x, y, z, w; } name##4;                                                                                                \
  WARPMESH_BOTH name##1 make_##name##1(scalar x) { name##1 v; v.x = x; return v; }                                                                                       \
  WARPMESH_BOTH name##2 make_##name##2(scalar x, scalar y) { name##2 v; v.x = x; v.y = y; return v; }                                                                    \
  WARPMESH_BOTH name##3 make_##name##3(scalar x, scalar y, scalar z) { name##3 v; v.x = x; v.y = y; v.z = z; return v; }                                                 \
  WARPMESH_BOTH name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { name##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v; }

WARPMESH_VECTORS(char, signed char, 2, 4)
WARPMESH_VECTORS(uchar, unsigned char, 2, 4)
WARPMESH_VECTORS(short, short, 4, 8)
WARPMESH_VECTORS(ushort, unsigned short, 4, 8)
WARPMESH_VECTORS(int, int, 8, 16)
WARPMESH_VECTORS(uint, unsigned int, 8, 16)
WARPMESH_VECTORS(long, long, 16, 16)
WARPMESH_VECTORS(ulong, unsigned long, 16, 16)
WARPMESH_VECTORS(longlong, long long, 16, 16)
WARPMESH_VECTORS(ulonglong, unsigned long long, 16, 16)
WARPMESH_VECTORS(float, float, 8, 16)
WARPMESH_VECTORS(double, double, 16, 16)

#undef WARPMESH_VECTORS

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 { unsigned int x, y, z; } dim3;
#endif

#endif
