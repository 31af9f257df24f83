// Blocks that wait for each other in both directions: all of them have to be on the chip at the same time.
#include "features.h"

// Barrier of all blocks, by counters in memory: by an atomic, and by flags that one block watches.
__device__ unsigned arrived = 0;
__device__ void barrier_of_all(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived < goal);
    __threadfence();
  }
  __syncthreads();
}
__device__ void barrier_by_flags(volatile int *in, volatile int *out, int round) {
  int t = threadIdx.x, b = blockIdx.x, n = gridDim.x;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    in[b] = round;
  }
  if (b == 0) {
    if (t < n) while (in[t] != round);
    __syncthreads();
    if (t < n) {
      __threadfence();
      out[t] = round;
    }
  }
  if (t == 0) while (out[b] != round);
  __syncthreads();
}
__global__ void global_barrier(volatile int *data, int rounds, int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    int next = data[(i + 37) % n] + 1;
    if (r & 1) barrier_by_flags(in, out, 2 * r + 1); else barrier_of_all((2 * r + 1) * gridDim.x - (r / 2 * 2) * gridDim.x);
    data[i] = next;
    if (r & 1) barrier_by_flags(in, out, 2 * r + 2); else barrier_of_all((2 * r + 2) * gridDim.x - (r / 2 * 2) * gridDim.x);
  }
}
FEATURE(global_barrier, "barriers of all blocks in memory, by atomics and by flags; the grid fits on the chip (Lonestar)") {
  std::vector<int> data(96);
  for (int i = 0; i < 96; ++i) data[i] = 10 * i;
  Device<int> d_data(data), in(3), out(3);
  unsigned zero = 0;
  cudaMemcpyToSymbol(arrived, &zero, sizeof zero);
  global_barrier<<<3, 32>>>(d_data, 4, in, out);
  std::vector<int> expected = data;
  for (int r = 0; r < 4; ++r) {
    auto before = expected;
    for (int i = 0; i < 96; ++i) expected[i] = before[(i + 37) % 96] + 1;
  }
  return differences(d_data.host(), expected);
}
