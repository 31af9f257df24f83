// out[thread] = folds over rows of its own and over an array that all warps read, by turns, with a barrier between.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S phases.cu -o phases.ptx   (kernels/build.sh)
#include "warpmesh.cuh"
#include "walk.cuh"

// Every round has other rows and another part of the array.
extern "C" __global__ void phases(const float *rows, const float *array, float *out, int rounds, int lines, int words,
                                  int pitch, int shared_lines, int flops) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int row = thread / WARP * lines + thread % WARP * lines / WARP;
  int rows_of_round = gridDim.x * blockDim.x / WARP * lines;
  array += thread % WARP;
  float sum = 0.0f;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    sum += walk<1, WARP>(rows + row * pitch, 1, words, flops);
    __syncthreads();
    sum += walk<1, WARP>(array, WARP, shared_lines, flops);
    __syncthreads();
    row += rows_of_round;
    array += WARP * shared_lines;
  }
  out[thread] = sum;
}
