// Functions, and variables with their functions of the host.
#include "shared.h"
#include "../check.h"

__device__ int launches = 0;
__constant__ int weights[4] = {1, 2, 3, 4};
__device__ int unused = 42;

static __device__ int offset = 7;
static __device__ __noinline__ int own(int x) { return 3 * x + offset; }
__device__ int scaled(int x) { return own(x); }

void set_weights(int factor) {
  int host[4];
  for (int i = 0; i < 4; ++i)
    host[i] = factor * (i + 1);
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof host));
}

int count_launches() {
  int found = 0;
  CHECK(cudaMemcpyFromSymbol(&found, launches, sizeof found));
  return found;
}

// A variable that no kernel uses has its value, too.
int unused_value() {
  int found = 0;
  CHECK(cudaMemcpyFromSymbol(&found, unused, sizeof found));
  return found;
}
