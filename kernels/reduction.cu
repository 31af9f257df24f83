// partial[block] = sum of the block's 2 x 128 elements, by a tree in shared memory. Blocks of 128 threads.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S reduction.cu -o reduction.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define THREADS 128

extern "C" __global__ void reduction(const float *input, float *partial, int n) {
  __shared__ float sums[THREADS];
  int thread = threadIdx.x;
  int i = blockIdx.x * (2 * THREADS) + thread;
  float sum = i < n ? input[i] : 0.0f;
  if (i + THREADS < n)
    sum += input[i + THREADS];
  sums[thread] = sum;
  __syncthreads();
#pragma unroll 1
  for (int half = THREADS / 2; half > 0; half >>= 1) {
    if (thread < half)
      sums[thread] += sums[thread + half];
    __syncthreads();
  }
  if (thread == 0)
    partial[blockIdx.x] = sums[0];
}
