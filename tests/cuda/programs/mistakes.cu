// What a program may do wrong, and how it is told.
#include "check.h"
#include <cassert>

__global__ void store(float *p, int at) { p[threadIdx.x + at] = 1.0f; }
__global__ void twice(float *p) { assert(p[threadIdx.x] < 0.0f); }

// All warps of a block add to the same elements with no barrier between, as mvt of PolyBench-ACC does.
__global__ void add(float *p) { p[threadIdx.x % 32] += 1.0f; }
// Each block reads what the one before it has written.
__global__ void chain(float *p) { p[blockIdx.x + 1] = p[blockIdx.x] + 1.0f; }
// The same with an order: a counter that the last block of two finds.
__global__ void last(float *p, unsigned *count) {
  p[blockIdx.x] = 1.0f;
  __threadfence();
  if (atomicAdd(count, 1) == gridDim.x - 1)
    p[2] = p[0] + p[1];
}

static int wrong = 0;
static void expect(cudaError_t found, cudaError_t expected, const char *what) {
  if (found != expected) {
    printf("%s: %s, not %s\n", what, cudaGetErrorName(found), cudaGetErrorName(expected));
    ++wrong;
  }
}

int main(int argc, char **argv) {
  float host[100] = {}, *device, *other;
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMalloc(&other, sizeof host));
  expect(cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "from the device");
  expect(cudaMemcpy(device, device, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "to itself");
  expect(cudaMemcpy(device + 1, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "beyond the end");
  expect(cudaMemset(host, 0, 4), cudaErrorInvalidValue, "memset of the host's");
  expect(cudaFree(host), cudaErrorInvalidValue, "free of the host's");
  expect(cudaFree(device + 1), cudaErrorInvalidValue, "free of the middle");
  expect(cudaMalloc(&other, (size_t)1 << 40), cudaErrorMemoryAllocation, "too much");
  expect(cudaGetLastError(), cudaErrorMemoryAllocation, "the last one");
  expect(cudaGetLastError(), cudaSuccess, "forgotten");
  expect(cudaSetDevice(1), cudaErrorInvalidDevice, "the second device");
  expect(cudaMemcpyToSymbol((const void *)host, host, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol, "no symbol");
  store<<<1, 2000>>>(device, 0);
  expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "2000 threads");
  store<<<0, 32>>>(device, 0);
  expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "no blocks");
  store<<<1, 100>>>(device, 0);
  expect(cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault), cudaSuccess, "still alive");
  wrong += host[99] != 1.0f;
  printf("%d wrong\n", wrong);
  fflush(stdout);
  // The last one stays.
  switch (argc > 1 ? argv[1][0] : 'a') {
  case 'h': store<<<1, 32>>>(host, 0); break;
  case 'n': store<<<1, 32>>>(0, 0); break;
  case 'w': add<<<1, 64>>>(device); break;
  case 'b': chain<<<4, 1>>>(device); break;
  case 'o': CHECK(cudaMalloc(&other, 4)); CHECK(cudaMemset(other, 0, 4)); last<<<2, 1>>>(device, (unsigned *)other);
    return cudaDeviceSynchronize() != cudaSuccess;
  case 't': twice<<<1, 32>>>(device); break;
  default: store<<<1, 32>>>(device, 90);
  }
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess || cudaMemset(device, 0, 4) != error || cudaGetLastError() != error)
    ++wrong;
  printf("%s\n", cudaGetErrorName(error));
  return wrong != 0;
}
