#include "scale.cuh"
#include "helper.h"

__global__ void scale(float *values, int n) {
  register int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = scale_of(values[i]);
}

void scale_on_device(float *values, int n) {
  float *device;
  check_errors(cudaMalloc(&device, n * sizeof(float)));
  check_errors(cudaMemcpy(device, values, n * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<(n + 63) / 64, 64>>>(device, n);
  check_errors(cudaGetLastError());
  check_errors(cudaMemcpy(values, device, n * sizeof(float), cudaMemcpyDeviceToHost));
  check_errors(cudaFree(device));
}
