// A launch that ends, and one that does not until somebody ends it.
#include "check.h"

__global__ void quick(volatile int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void endless(volatile int *p) {
  while (*p == 0)
    p[1] += 1;
}

int main() {
  int *device;
  CHECK(cudaMalloc(&device, 32 * sizeof(int)));
  quick<<<1, 32>>>(device);
  printf("begun\n");
  fflush(stdout);
  endless<<<1, 1>>>(device);
  printf("never\n");
  return 0;
}
