// The runtime as benchmark suites use it, beside what the other programs do: managed variables, addresses of symbols, memory in three
// dimensions, arrays in both directions, occupancy, attributes, callbacks, headers by all their names; a file in C, too.
#include <builtin_types.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <math.h>
#include <math_constants.h>
#include <vector_functions.h>
#include <vector_types.h>
#include "check.h"
#include "suites.h"
#ifndef __CUDACC__
#error "programs ask for it"
#endif

__device__ __managed__ int counter = 5;
__managed__ float values[4] = {1.0f, 2.0f};
static __managed__ int *where;
__constant__ int factors[4] = {1, 2, 3, 4};
__device__ int table[3] = {7, 8, 9};

struct __align__(16) Aligned {
  float x, y, z;
};

__device__ __noinline__ float half_turn(float x) { return x + CUDART_PI_F; }

__global__ void __launch_bounds__(64, 2) work(int *__restrict__ out, const int *by_pointer, int *managed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = factors[i % 4] + by_pointer[i % 4] + table[i % 3];
  if (i == 0) {
    counter += 1;
    managed[2] = (int)half_turn(values[1]);
    where[0] = 11;
  }
}

__global__ void slices(cudaPitchedPtr pitched, int width, int height, int depth) {
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y) {
      int *row = (int *)((char *)pitched.ptr + (z * pitched.ysize + y) * pitched.pitch);
      if (threadIdx.x < width)
        row[threadIdx.x] += 100 * z + 10 * y + threadIdx.x;
    }
}

static int called = 0;
static void CUDART_CB callback(cudaStream_t, cudaError_t status, void *data) { called += status == cudaSuccess ? *(int *)data : 0; }

static int volumes() {
  const int width = 5, height = 4, depth = 3;
  int host[depth][height][width], back[depth][height][width] = {}, wrong = 0;
  for (int i = 0; i < width * height * depth; ++i)
    (&host[0][0][0])[i] = i * i;
  cudaPitchedPtr device;
  cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  CHECK(cudaMalloc3D(&device, extent));
  CHECK(cudaMemset3D(device, 0xff, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, width * sizeof(int), width, height);
  copy.dstPtr = device;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  slices<<<1, 32>>>(device, width, height, depth);
  // All but the first row and column, in one slice.
  cudaMemcpy3DParms part = {};
  part.srcPtr = device;
  part.srcPos = make_cudaPos(sizeof(int), 1, 2);
  part.dstPtr = make_cudaPitchedPtr(back, width * sizeof(int), width, height);
  part.dstPos = make_cudaPos(sizeof(int), 1, 2);
  part.extent = make_cudaExtent((width - 1) * sizeof(int), height - 1, 1);
  part.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&part));
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        wrong += back[z][y][x] != (z == 2 && y > 0 && x > 0 ? host[z][y][x] + 100 * z + 10 * y + x : 0);
  part.extent.height = 2 * height;
  wrong += cudaMemcpy3D(&part) == cudaSuccess;
  CHECK(cudaFree(device.ptr));
  return wrong;
}

static int arrays() {
  const int width = 6, height = 3;
  float host[height][width], back[height][width] = {}, corner[2][2];
  for (int i = 0; i < width * height; ++i)
    host[i / width][i % width] = 0.5f * i;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat), found;
  cudaArray_t array, other;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMallocArray(&other, &format, width, height));
  CHECK(cudaGetChannelDesc(&found, array));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyArrayToArray(other, 0, 0, array, 0, 0, sizeof host, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpyFromArray(back, other, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy2DFromArray(corner, sizeof corner[0], array, 4 * sizeof(float), 1, sizeof corner[0], 2, cudaMemcpyDeviceToHost));
  int wrong = memcmp(host, back, sizeof host) != 0 || found.x != 32 || corner[1][0] != host[2][4];
  wrong += cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyDeviceToHost) != cudaErrorInvalidValue;
  wrong += cudaMemcpy2DToArray(array, 0, 0, host, 4, 4, (size_t)-1, cudaMemcpyHostToDevice) != cudaErrorInvalidValue;
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
  return wrong;
}

int main() {
  const int n = 200;
  int *device, host[n], wrong = 0;
  CHECK(cudaMalloc((void **)&device, sizeof host));
  wrong += counter != 5 || values[1] != 2.0f || values[3] != 0.0f || where;
  counter = 40;
  where = device + n - 1;
  int *constants, more[4] = {10, 20, 30, 40};
  CHECK(cudaGetSymbolAddress((void **)&constants, factors));
  CHECK(cudaMemcpy(constants + 1, more + 1, sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(factors, more + 2, sizeof(int), 2 * sizeof(int)));
  // A managed variable as an argument has the address that it has for the host.
  values[2] = 0.0f;
  work<<<(n + 63) / 64, 64>>>(device, constants, (int *)values, n - 1);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  const int now[4] = {1, 20, 30, 4};
  for (int i = 0; i < n - 1; ++i)
    wrong += host[i] != 2 * now[i % 4] + 7 + i % 3;
  wrong += host[n - 1] != 11 || counter != 41 || *(int *)&values[2] != 5;
  int through_symbol;
  CHECK(cudaMemcpyFromSymbol(&through_symbol, counter, sizeof(int)));
  wrong += through_symbol != 41;

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, work));
  CHECK(cudaFuncSetCacheConfig(work, cudaFuncCachePreferL1));
  int blocks = 0, grid = 0, block = 0, cores = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 64, 0));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, work));
  CHECK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0));
  wrong += blocks < 1 || attributes.numRegs < 1 || block < 32 || grid < cores || sizeof(Aligned) != 16;

  cudaPointerAttributes pointer;
  CHECK(cudaPointerGetAttributes(&pointer, device));
  wrong += pointer.type != cudaMemoryTypeDevice || pointer.devicePointer != device;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0));
  int amount = 3;
  CHECK(cudaStreamAddCallback(stream, callback, &amount, 0));
  CHECK(cudaStreamDestroy(stream));
  wrong += called != 3 || cudaStreamSynchronize(stream) != cudaErrorInvalidResourceHandle;
  size_t rest;
  CHECK(cudaMemGetInfo(&rest, NULL));
  wrong += volumes() + arrays() + of_the_host();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
