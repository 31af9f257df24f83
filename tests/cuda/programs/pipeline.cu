// Several kernels on the same memory: templates, a struct by value, variables and constants by name, dynamic shared memory, printf, events.
#include "check.h"
#include <algorithm>
#include <cmath>
#include <vector>

struct Scale {
  float factor;
  int n;
  const float *x;
  short skip[3];
};

template <typename T> struct Sum {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Largest {
  __device__ T operator()(T a, T b) const { return max(a, b); }
};

__constant__ float offsets[4];
__constant__ int unused[1000];
__device__ unsigned long long done;
__device__ float totals[2] = {1.0f, 2.0f};
static __device__ int calls;

__global__ void scale(Scale s, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) {
    y[i] = s.factor * s.x[i] + offsets[i % 4] + s.skip[i % 3];
    atomicAdd(&done, 1ull);
  }
}

template <typename T, template <typename> class Operation> __global__ void reduce(const T *in, T *out, int n, T start) {
  extern __shared__ unsigned char storage[];
  T *values = reinterpret_cast<T *>(storage);
  Operation<T> operation;
  T value = start;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value = operation(value, in[i]);
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      values[threadIdx.x] = operation(values[threadIdx.x], values[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = values[0];
    atomicAdd(&calls, 1);
    if (blockIdx.x == 1)
      printf("block %u of %s has %.1f, %d%% of %5d|%-4x|%c\n", blockIdx.x, "reduce", values[0], 100, n, 255, 'z');
  }
}

__global__ void finish(const float *parts, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i)
    sum += parts[i];
  totals[0] += sum;
  totals[1] *= calls;
  printf("none\n");
  printf("%s %d %lld %g\n", "four", n, 1234567890123ll, totals[1]);
  printf("%d %d %d %d %d %d %d %d %d %d %d %s\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "twelve");
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  const int blocks = 4, threads = 64;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = (float)((i * 7919) % 100);
  float *d_x, *d_y, *d_parts;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc((void **)&d_y, n * sizeof(float)));
  CHECK(cudaMalloc(&d_parts, blocks * sizeof(float)));
  CHECK(cudaMemcpy(d_x, &x[0], n * sizeof(float), cudaMemcpyHostToDevice));
  const float host_offsets[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(offsets, host_offsets, 2 * sizeof(float)));
  CHECK(cudaMemcpyToSymbol(offsets, host_offsets + 2, 2 * sizeof(float), 2 * sizeof(float)));
  CHECK(cudaMemcpyToSymbol(unused, host_offsets, sizeof(float)));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventRecord(start, stream));
  Scale s = {0.5f, n, d_x, {10, 20, 30}};
  scale<<<(n + threads - 1) / threads, threads, 0, stream>>>(s, d_y);
  CHECK(cudaGetLastError());
  reduce<float, Sum><<<blocks, threads, threads * sizeof(float), stream>>>(d_y, d_parts, n, 0.0f);
  CHECK(cudaGetLastError());
  finish<<<1, 1>>>(d_parts, blocks);
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1.0f;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaMemcpyAsync(&y[0], d_y, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));

  int wrong = milliseconds < 0.0f;
  double sum = 1.0;
  float largest = 0.0f;
  for (int i = 0; i < n; ++i) {
    float expected = 0.5f * x[i] + host_offsets[i % 4] + s.skip[i % 3];
    wrong += y[i] != expected;
    sum += expected;
    largest = std::max(largest, expected);
  }
  float found[2], parts[blocks];
  CHECK(cudaMemcpyFromSymbol(found, totals, sizeof found));
  wrong += std::fabs(found[0] - sum) > 1e-5 * sum || found[1] != 2.0f * blocks;
  unsigned long long count;
  CHECK(cudaMemcpyFromSymbol(&count, done, sizeof count));
  wrong += count != (unsigned long long)n;
  float *address;
  size_t bytes;
  CHECK(cudaGetSymbolAddress((void **)&address, totals));
  CHECK(cudaGetSymbolSize(&bytes, totals));
  CHECK(cudaMemcpy(found, address + 1, sizeof(float), cudaMemcpyDeviceToHost));
  wrong += bytes != sizeof totals || found[0] != 2.0f * blocks;

  void *args[] = {&d_y, &d_parts, &n, &milliseconds};
  CHECK(cudaLaunchKernel(reduce<float, Largest>, dim3(blocks), dim3(threads), args, threads * sizeof(float), 0));
  CHECK(cudaMemcpy(parts, d_parts, sizeof parts, cudaMemcpyDeviceToHost));
  wrong += *std::max_element(parts, parts + blocks) != largest;

  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  wrong += properties.warpSize != 32 || properties.multiProcessorCount < 1 || properties.totalConstMem != 65536;
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  CHECK(cudaFree(d_parts));
  CHECK(cudaDeviceReset());
  printf("%s: %d wrong\n", properties.name, wrong);
  return wrong != 0;
}
