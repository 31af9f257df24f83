// out[thread] = a fold over a row: each load of a warp touches `lines` rows, a line of each, and the next 31 loads touch the same ones.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S rowwalk.cu -o rowwalk.ptx   (kernels/build.sh)
#include "warpmesh.cuh"
#include "walk.cuh"

// Lanes that share a row read the same values. `passes`: how often a row is walked.
extern "C" __global__ void rowwalk(const float *rows, float *out, int lines, int words, int pitch, int passes, int flops) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int row = thread / WARP * lines + thread % WARP * lines / WARP;
  float sum = 0.0f;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass)
    sum += walk<1, WARP>(rows + row * pitch, 1, words, flops);
  out[thread] = sum;
}
