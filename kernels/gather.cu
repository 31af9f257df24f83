// out[i] = table[index[i]]: loads that do not coalesce.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S gather.cu -o gather.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

extern "C" __global__ void gather(const float *table, const int *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[index[i]];
}
