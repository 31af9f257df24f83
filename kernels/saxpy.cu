// y = alpha x + y; each thread strides over the vector by the size of the grid.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S saxpy.cu -o saxpy.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

extern "C" __global__ void saxpy(float alpha, const float *x, float *y, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = alpha * x[i] + y[i];
}
