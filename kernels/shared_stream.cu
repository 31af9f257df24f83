// out[thread] = a fold over an array that all warps read in the same order, from its start to its end.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S shared_stream.cu -o shared_stream.ptx   (kernels/build.sh)
#include "warpmesh.cuh"
#include "walk.cuh"

extern "C" __global__ void shared_stream(const float *in, float *out, int loads, int runs, int flops) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = walk_lines(in + thread % WARP, loads, WARP * loads, runs, flops);
}
