#include <cstdio>
#include <vector>

__constant__ float weights[3];
texture<float, 1, cudaReadModeElementType> source;

__global__ void spread(const float *before, float *after, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float left = before[max(i - 1, 0)], right = before[min(i + 1, n - 1)];
    after[i] = weights[0] * left + weights[1] * before[i] + weights[2] * right + tex1Dfetch(source, i);
  }
}

template <typename T> __global__ void sum(const T *values, T *sums, int n) {
  extern __shared__ float shared[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i < n ? values[i] : 0;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = shared[0];
}

int main() {
  const int n = 2000, threads = 128, blocks = (n + threads - 1) / threads, steps = 3;
  std::vector<float> heat(n, 0.0f), sources(n, 0.0f), sums(blocks);
  sources[n / 2] = 4.0f;
  const float host_weights[3] = {0.25f, 0.5f, 0.25f};
  float *d_heat[2], *d_sources, *d_sums;
  for (float *&buffer : d_heat)
    cudaMalloc(&buffer, n * sizeof(float));
  cudaMalloc(&d_sources, n * sizeof(float));
  cudaMalloc(&d_sums, blocks * sizeof(float));
  cudaMemcpy(d_heat[0], heat.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_sources, sources.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights);
  cudaBindTexture(NULL, source, d_sources, n * sizeof(float));

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int step = 0; step < steps; ++step)
    spread<<<blocks, threads>>>(d_heat[step % 2], d_heat[(step + 1) % 2], n);
  sum<float><<<blocks, threads, threads * sizeof(float)>>>(d_heat[steps % 2], d_sums, n);
  cudaEventRecord(stop);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  float milliseconds, total = 0.0f;
  cudaEventElapsedTime(&milliseconds, start, stop);
  for (float part : sums)
    total += part;
  printf("heat %.3f after %d steps: %s\n", total, steps, cudaGetErrorString(cudaGetLastError()));
  return total != 4.0f * steps;
}
