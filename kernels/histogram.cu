// bins[k] = how many of n values fall into bin k of 64: each block counts in shared memory, then adds what it has to memory. Blocks of 128 threads.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S histogram.cu -o histogram.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define THREADS 128
#define BINS 64

extern "C" __global__ void histogram(const unsigned *values, unsigned *bins, int n) {
  __shared__ unsigned own[BINS];
  int thread = threadIdx.x;
  if (thread < BINS)
    own[thread] = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = blockIdx.x * THREADS + thread; i < n; i += gridDim.x * THREADS)
    __atomic_fetch_add(&own[values[i] % BINS], 1u, __ATOMIC_RELAXED);
  __syncthreads();
  if (thread < BINS && own[thread])
    __atomic_fetch_add(&bins[thread], own[thread], __ATOMIC_RELAXED);
}
