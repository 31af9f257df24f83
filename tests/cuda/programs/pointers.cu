// Function pointers and virtual functions.
#include "check.h"

struct Shape {
  __device__ virtual float area(float size) const = 0;
  __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
  __device__ float area(float size) const override { return size * size; }
  __device__ int sides() const override { return 4; }
};
struct Disc : Shape {
  float pi;
  __device__ explicit Disc(float pi) : pi(pi) {}
  __device__ float area(float size) const override { return pi * size * size; }
};

__device__ int twice(int x) { return 2 * x; }
__device__ int successor(int x) { return x + 1; }
typedef int (*Operation)(int);
__device__ Operation operations[2] = {twice, successor};

__global__ void choose(Operation *chosen, int n) {
  int i = threadIdx.x;
  if (i < n)
    chosen[i] = operations[(i / 4) % 2];
}

__global__ void apply(const Operation *chosen, int *results, float *areas) {
  int i = threadIdx.x;
  results[i] = chosen[i](i);
  Square square;
  Disc disc(3.0f);
  const Shape *shape = i % 3 == 0 ? (const Shape *)&square : &disc;
  areas[i] = shape->area(i) + shape->sides();
}

int main() {
  const int n = 64;
  Operation *d_chosen;
  int *d_results, results[n], wrong = 0;
  float *d_areas, areas[n];
  CHECK(cudaMalloc(&d_chosen, n * sizeof(Operation)));
  CHECK(cudaMalloc(&d_results, sizeof results));
  CHECK(cudaMalloc(&d_areas, sizeof areas));
  choose<<<1, n>>>(d_chosen, n);
  apply<<<1, n>>>(d_chosen, d_results, d_areas);
  CHECK(cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(areas, d_areas, sizeof areas, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    wrong += results[i] != (i / 4 % 2 ? i + 1 : 2 * i);
    wrong += areas[i] != (i % 3 == 0 ? i * i + 4 : 3.0f * i * i);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
