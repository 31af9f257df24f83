// A program of several launches whose host looks at what each has done, for `exec --save` and `--resume`. What OTHER in the
// environment says is done otherwise than without it.
#include "check.h"
#include <cstdlib>
#include <cstring>

struct Step {
  int add, times;
};

__managed__ int rounds;
__constant__ int odd[2];

__global__ void mix(int *values, int n, Step step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i % n];
  for (int t = 0; t < step.times; ++t)
    value = value * odd[i & 1] + step.add;
  values[i % n] = value;
  if (i == 0)
    atomicAdd(&rounds, 1);
}

__global__ void gather(const int *values, int *sum, int n) {
  int i = threadIdx.x;
  atomicAdd(sum, values[(i * 7) % n]);
  if (i == 0)
    printf("gathered after %d rounds\n", rounds);
}

static bool other(const char *what) {
  const char *said = getenv("OTHER");
  return said && !strcmp(said, what);
}

int main(int argc, char **argv) {
  const int n = 192;
  int host[n], factors[2] = {5, other("constant") ? 9 : 3}, *values, *sum, total = 0;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  CHECK(cudaMalloc(&values, sizeof host));
  CHECK(cudaMemcpyToSymbol(odd, factors, sizeof factors));
  CHECK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  for (int launch = 1; launch <= (other("end") ? 1 : 3); ++launch) {
    if (launch == 2)
      CHECK(cudaMalloc(&sum, other("size") ? 8 : 4));
    if (launch == 2)
      CHECK(cudaMemset(sum, other("memory") ? 1 : 0, 4));
    Step step = {total % 5 + (other("argument") && launch == 2), 6};
    mix<<<launch == 2 && other("grid") ? 3 : 2, 96>>>(values, n, step);
    if (launch == 2) {
      gather<<<1, 32>>>(values, sum, n);
      CHECK(cudaMemcpy(&total, sum, 4, cudaMemcpyDeviceToHost));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d: %d %d, %d rounds\n", launch, host[1], host[n - 1], rounds);
    fflush(stdout);
  }
  printf("total %d of %s\n", total, argc > 1 ? argv[1] : "nothing");
  return 0;
}
