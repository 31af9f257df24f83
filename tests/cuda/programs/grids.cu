// A grid whose blocks wait for each other, and memory in the order of a stream.
#include <cooperative_groups.h>
#include "check.h"

namespace cg = cooperative_groups;

// Neighbours are exchanged over all blocks, step by step.
__global__ void rotate(int *values, int *next, int steps) {
  cg::grid_group grid = cg::this_grid();
  unsigned i = grid.thread_rank(), n = grid.size();
  for (int step = 0; step < steps; ++step) {
    next[i] = *(volatile int *)&values[(i + 33) % n] + 1;
    grid.sync();
    values[i] = *(volatile int *)&next[i];
    grid.sync();
  }
}

int main() {
  const int blocks = 3, threads = 64, n = blocks * threads;
  int values[n], *d_values, *d_next, steps = 4, wrong = 0;
  cudaStream_t stream;
  cudaMemPool_t pool;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMallocAsync(&d_values, sizeof values, stream));
  CHECK(cudaMallocFromPoolAsync(&d_next, sizeof values, pool, stream));
  for (int i = 0; i < n; ++i) values[i] = 10 * i;
  CHECK(cudaMemcpyAsync(d_values, values, sizeof values, cudaMemcpyHostToDevice, stream));
  void *args[] = {&d_values, &d_next, &steps};
  // More blocks than the chip holds are refused, and nothing is launched.
  wrong += cudaLaunchCooperativeKernel(rotate, dim3(1 << 20), dim3(threads), args) != cudaErrorCooperativeLaunchTooLarge;
  CHECK(cudaLaunchCooperativeKernel(rotate, dim3(blocks), dim3(threads), args, 0, stream));
  CHECK(cudaMemcpyAsync(values, d_values, sizeof values, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(d_values, stream));
  CHECK(cudaFreeAsync(d_next, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) wrong += values[i] != 10 * ((i + 33 * steps) % n) + steps;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
