// out[thread] = a fold over values that nobody else reads: runs of 1, 2, 4 or 8 loads, a line each for the warp.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S stream.cu -o stream.ptx   (kernels/build.sh)
#include "warpmesh.cuh"
#include "walk.cuh"

// in: of each iteration, of each warp, the run's lines.
extern "C" __global__ void stream(const float *in, float *out, int loads, int iterations, int flops) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int values = gridDim.x * blockDim.x * loads;
  const float *at = in + thread / WARP * WARP * loads + thread % WARP;
  out[thread] = walk_lines(at, loads, values, iterations, flops);
}
