// The words of CUDA C that clang knows as attributes.
#ifndef WARPMESH_HOST_DEFINES_H
#define WARPMESH_HOST_DEFINES_H

#ifndef __CUDA__
#error "this is CUDA C: compile it with `warpmesh cc`"
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

#define WARPMESH_BOTH static __inline__ __attribute__((always_inline, host, device))
#define WARPMESH_DEVICE static __inline__ __attribute__((always_inline, device))

#endif
