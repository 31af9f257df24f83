// The words of CUDA C that clang knows as attributes.
#ifndef WARPMESH_HOST_DEFINES_H
#define WARPMESH_HOST_DEFINES_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __HOST_DEFINES_H__
#define __HOST_CONFIG_H__

#ifdef __CUDA__

#ifndef __CUDACC__
#define __CUDACC__
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 0
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
// The runtime finds them by their section.
#define __managed__ __attribute__((device, section("warpmesh_managed")))
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define WARPMESH_BOTH static __inline__ __attribute__((always_inline, host, device))
#define WARPMESH_DEVICE static __inline__ __attribute__((always_inline, device))

#else

// A file for the host, in C or C++.
#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __managed__
#define __launch_bounds__(...)
#ifndef __forceinline__
#define __forceinline__ __inline__
#endif
#define WARPMESH_BOTH static __inline__

#endif

#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

#endif
