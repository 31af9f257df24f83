// malloc, free and new in device code, memcpy and its like, the scopes of atomics, and a program's own atomicAdd of doubles.
#include "check.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));
  } while (seen != old);
  return __longlong_as_double(old);
}
#endif

struct List {
  int value;
  List *next;
  __device__ List(int value, List *next) : value(value), next(next) {}
};

// Each thread builds a list, adds it up and frees it, several times: blocks are used again.
__global__ void lists(int *sums, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int round = 0; round < rounds; ++round) {
    List *list = nullptr;
    for (int j = 0; j <= i % 5; ++j) list = new List(i + j, list);
    while (list) {
      sum += list->value;
      List *next = list->next;
      delete list;
      list = next;
    }
  }
  sums[i] = sum;
}

__global__ void copies(const unsigned char *in, unsigned char *out, int n) {
  int i = threadIdx.x;
  unsigned char *copy = (unsigned char *)malloc(n + i);
  if (copy == nullptr) return;
  memset(copy, i, n + i);
  memcpy(copy + i % 3, in, n - i % 3);
  memmove(copy + 1, copy, n - 1);
  out[i] = copy[1 + i % 3 + i % 7] + (memcmp(copy + 1 + i % 3, in, n / 2) == 0);
  free(copy);
}

__global__ void too_much(int *results) {
  results[0] = malloc(1 << 30) == nullptr;
  results[1] = malloc(0) == nullptr;
  free(nullptr);
}

__global__ void scopes(int *counts, double *sum) {
  atomicAdd_system(counts, 1);
  atomicMax_block(counts + 1, threadIdx.x);
  atomicCAS_system(counts + 2, 0, 7);
  atomicAdd(sum, 0.5);
}

int main() {
  const int n = 32;
  int *d_sums, sums[n], wrong = 0;
  CHECK(cudaMalloc(&d_sums, sizeof sums));
  lists<<<2, n / 2>>>(d_sums, 2);
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int j = 0; j <= i % 5; ++j) sum += i + j;
    wrong += sums[i] != 2 * sum;
  }
  unsigned char in[64], out[64], *d_in, *d_out;
  for (int i = 0; i < 64; ++i) in[i] = 5 * i;
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  copies<<<1, 32>>>(d_in, d_out, 64);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) wrong += out[i] != (unsigned char)(in[i % 7] + 1);
  too_much<<<1, 1>>>(d_sums);
  CHECK(cudaMemcpy(sums, d_sums, 2 * sizeof(int), cudaMemcpyDeviceToHost));
  wrong += sums[0] != 1 || sums[1] != 1;
  double *d_sum, sum = 0;
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMemset(d_sum, 0, sizeof sum));
  CHECK(cudaMemset(d_sums, 0, sizeof sums));
  scopes<<<2, 32>>>(d_sums, d_sum);
  CHECK(cudaMemcpy(sums, d_sums, 3 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  wrong += sums[0] != 64 || sums[1] != 31 || sums[2] != 7 || sum != 32.0;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
