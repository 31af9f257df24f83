// out = in filtered by 5 x 5 weights in constant memory: all threads of a warp read the same one.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S convolution.cu -o convolution.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define SIZE 5

__constant__ float filter[SIZE * SIZE];

// in has SIZE - 1 rows and columns more than out.
extern "C" __global__ void convolution(const float *in, float *out, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  float sum = 0.0f;
#pragma unroll 1
  for (int j = 0; j < SIZE; ++j)
    for (int i = 0; i < SIZE; ++i)
      sum += filter[j * SIZE + i] * in[(y + j) * (columns + SIZE - 1) + x + i];
  out[y * columns + x] = sum;
}
