// y = (a x + b) x + c, one element a thread. An example of a kernel of one's own: polynomial.toml says how to run it.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S polynomial.cu -o polynomial.ptx
#include "../warpmesh.cuh"

extern "C" __global__ void polynomial(const float *x, float *y, float a, float b, float c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = (a * x[i] + b) * x[i] + c;
}
