// Barriers that count, and named ones between some warps of a block: two warps make what two others use.
#include "check.h"

__global__ void counts(const int *x, int *y) {
  int i = threadIdx.x, value = x[i];
  int positive = __syncthreads_count(value > 0);
  int all = __syncthreads_and(value > -100) != 0, any = __syncthreads_or(value == 77) != 0;
  y[i] = positive * 4 + all * 2 + any;
}

__global__ void pipeline(int *out, int rounds) {
  __shared__ int box[64];
  int lane = threadIdx.x % 64;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < 64) {
      asm volatile("bar.sync 1, 128;" ::: "memory"); // the box is empty
      box[lane] = round * 100 + lane;
      asm volatile("bar.arrive 2, 128;" ::: "memory");
    } else {
      asm volatile("bar.arrive %0, %1;" ::"r"(1), "r"(blockDim.x) : "memory");
      asm volatile("bar.sync 2, 128;" ::: "memory"); // and now full
      sum += box[63 - lane];
    }
  }
  out[threadIdx.x] = sum;
}

int main() {
  int x[96], y[96], sums[128], wrong = 0, positive = 0;
  for (int i = 0; i < 96; ++i)
    positive += (x[i] = i * 37 % 100 - 40) > 0;
  int *d_x, *d_y;
  CHECK(cudaMalloc(&d_x, sizeof x));
  CHECK(cudaMalloc(&d_y, sizeof sums));
  CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
  counts<<<1, 96>>>(d_x, d_y);
  CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 96; ++i)
    wrong += y[i] != positive * 4 + 2;
  pipeline<<<1, 128>>>(d_y, 10);
  CHECK(cudaMemcpy(sums, d_y, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i)
    wrong += sums[64 + i] != 4500 + 10 * (63 - i);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
