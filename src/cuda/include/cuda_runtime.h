// CUDA C for warpmesh. `warpmesh cc` includes it before everything else in a `.cu` file; a file for the host may include it for the runtime's functions.
#ifndef WARPMESH_CUDA_RUNTIME_H
#define WARPMESH_CUDA_RUNTIME_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __CUDA_RUNTIME_H__
#define __COMMON_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "host_defines.h"
#ifdef __CUDA__
#include "math_names.h"
#endif

#ifdef __cplusplus
#include <assert.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>
#endif

#include "vector_types.h"

#include "driver_types.h"
#include "texture_types.h"

#include "cuda_runtime_api.h"

#ifdef __CUDA__
#include "device_functions.h"
#include "math_functions.h"
#include "device_printf.h"
#include "device_memory.h"
#include "texture_fetch.h"
#include "surface_access.h"
#endif

#ifdef __cplusplus
#include "channel_descriptor.h"

// -- the forms of the functions that C++ adds

template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes) { return cudaMalloc((void **)pointer, bytes); }
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) { return cudaHostAlloc((void **)pointer, bytes, flags); }
template <class T> static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) { return cudaHostAlloc((void **)pointer, bytes, flags); }
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) { return cudaHostGetDevicePointer((void **)device, host, flags); }
template <class T> static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) { return cudaMallocManaged((void **)pointer, bytes, flags); }
template <class T> static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) { return cudaMallocPitch((void **)pointer, pitch, width, height); }
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) { return cudaMemcpy(to, from, bytes, kind); }
static inline cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes) { return cudaMemset(pointer, value, bytes); }
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device) { return cudaMemPrefetchAsync(pointer, bytes, device, 0); }
template <class T> static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T> static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T> static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) { return cudaGetSymbolAddress(pointer, (const void *)&symbol); }
template <class T, class S> static inline cudaError_t cudaGetSymbolAddress(T **pointer, const S &symbol) { return cudaGetSymbolAddress((void **)pointer, (const void *)&symbol); }
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) { return cudaGetSymbolSize(bytes, (const void *)&symbol); }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags = 0) { return cudaGraphInstantiateWithFlags(executable, graph, flags); }
static inline cudaError_t cudaEventRecord(cudaEvent_t event) { return cudaEventRecord(event, 0); }
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) { return cudaStreamWaitEvent(stream, event, 0); }
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
template <class T> static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t bytes = 0, unsigned int flags = cudaMemAttachSingle) { return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags); }
static inline cudaError_t cudaDeviceEnablePeerAccess(int peer) { return cudaDeviceEnablePeerAccess(peer, 0); }
static inline cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height = 0) { return cudaMallocArray(array, format, width, height, 0); }
template <class T> static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, args, shared, stream);
}
template <class T> static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, args, shared, stream);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) { return cudaMallocAsync((void **)pointer, bytes, stream); }
template <class T> static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) { return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream); }
template <class T> static inline cudaError_t cudaLaunch(T *function) { return cudaLaunch((const void *)function); }
template <class T> static inline cudaError_t cudaSetupArgument(T argument, size_t offset) { return cudaSetupArgument((const void *)&argument, sizeof(T), offset); }
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config) { return cudaFuncSetCacheConfig((const void *)function, config); }
template <class T> static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function) { return cudaFuncGetAttributes(attributes, (const void *)function); }
template <class T> static inline cudaError_t cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config) { return cudaFuncSetSharedMemConfig((const void *)function, config); }
template <class T> static inline cudaError_t cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value) { return cudaFuncSetAttribute((const void *)function, attribute, value); }
template <class T> static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads, shared);
}
// The number of threads with which most of them are on a core; of several, the largest blocks. `limit`: 0 for none.
template <class T, class Shared> static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T function, Shared shared_of, int limit = 0) {
  struct cudaFuncAttributes attributes;
  int cores, most = 0;
  cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess)
    return error;
  int threads = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < threads)
    threads = limit;
  for (; threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, threads, shared_of(threads));
    if (error != cudaSuccess)
      return error;
    if (blocks * threads > most) {
      most = blocks * threads;
      *block = threads;
      *grid = blocks * cores;
    }
  }
  return most > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
}
template <class T> static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, [shared](int) { return shared; }, limit);
}
static inline cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent) { return cudaMalloc3DArray(array, format, extent, 0); }

#endif

static __inline__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent extent = {width, height, depth};
  return extent;
}
static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos pos = {x, y, z};
  return pos;
}
static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height) {
  struct cudaPitchedPtr pitched = {pointer, pitch, width, height};
  return pitched;
}

#ifdef __CUDA__

// -- variables of host and device: where those of the host are

extern "C" {
extern char __start_warpmesh_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_warpmesh_managed[] __attribute__((weak, visibility("hidden")));
void __warpmeshManaged(void *start, void *stop);
}
#ifndef __CUDA_ARCH__
static __attribute__((constructor(101))) void warpmesh_managed_variables() { __warpmeshManaged(__start_warpmesh_managed, __stop_warpmesh_managed); }
#endif

// -- launches in device code: declared, as header libraries name them in code that is not compiled for a device. There is none.

extern "C" __attribute__((device)) void *cudaGetParameterBuffer(size_t align, size_t bytes);
extern "C" __attribute__((device)) cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block, unsigned int shared, cudaStream_t stream);

// -- assertions in device code: glibc's macro calls this function

extern "C" __attribute__((device)) void __assertfail(const char *condition, const char *file, unsigned line, const char *function, size_t size);
// What each thread of a warp says, by its lane; the host reads it when the launch has ended with it.
struct warpmesh_assertion {
  unsigned line, condition, file, function;
};
// Volatile: device code does not read it.
static __attribute__((device)) volatile warpmesh_assertion warpmesh_assertions[32];
WARPMESH_DEVICE void __assert_fail(const char *condition, const char *file, unsigned int line, const char *function) noexcept {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  warpmesh_assertions[lane].condition = (unsigned)(size_t)condition;
  warpmesh_assertions[lane].file = (unsigned)(size_t)file;
  warpmesh_assertions[lane].function = (unsigned)(size_t)function;
  warpmesh_assertions[lane].line = line;
  __assertfail(condition, file, line, function, 1);
}
#endif

#endif
