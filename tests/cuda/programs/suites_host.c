/* Of the suites program: C, for the host alone. */
#include <cuda_runtime_api.h>
#include <vector_functions.h>
#include "suites.h"

int of_the_host(void) {
  float4 given = make_float4(1, 2, 3, 4), found = {0, 0, 0, 0};
  void *device;
  dim3 block = {1, 2, 3};
  if (cudaMalloc(&device, sizeof given) != cudaSuccess)
    return 1;
  cudaMemcpy(device, &given, sizeof given, cudaMemcpyHostToDevice);
  cudaMemcpy(&found, device, sizeof found, cudaMemcpyDeviceToHost);
  return cudaFree(device) != cudaSuccess || found.z != 3 || block.z != 3;
}
