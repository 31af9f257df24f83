// Device code of three files: functions and variables of others, and own ones that are called alike.
#include "../check.h"
#include "shared.h"

static __device__ int offset = 100;
static __device__ __noinline__ int own(int x) { return x + offset; }

__global__ void mix(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = own(i) + scaled(i) + weights[i % 4] + twice(i) + deep(i);
    if (i == 0)
      ++launches;
  }
}

#ifdef MISSING
extern __device__ int nowhere(int x);
__global__ void needs_missing(int *out) { *out = nowhere(*out); }
#endif

int main() {
  const int n = 200;
  int *device, host[n], wrong = 0;
  CHECK(cudaMalloc(&device, sizeof host));
#ifdef MISSING
  needs_missing<<<1, 1>>>(device);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
#endif
  int factors = 0;
  for (int round = 0; round < 2; ++round) {
    mix<<<(n + 63) / 64, 64>>>(device, n);
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
      wrong += host[i] != (i + 100) + (3 * i + 7) + (round + 1) * (i % 4 + 1) + 2 * i + (i * i + 1);
    // The file that has the constants sets them.
    set_weights(2);
  }
#ifdef SHARED_NAMES
  // Variables of other files are known to the host, too.
  int weights_now[4], more[4] = {9, 9, 9, 9};
  CHECK(cudaMemcpyFromSymbol(weights_now, weights, sizeof weights_now));
  wrong += weights_now[3] != 8;
  CHECK(cudaMemcpyToSymbol(weights, more, sizeof more));
  CHECK(cudaMemcpyFromSymbol(&factors, launches, sizeof factors));
  wrong += factors != 2;
#endif
  wrong += count_launches() != 2 || unused_value() != 42;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
