// y = A x, A in compressed sparse rows, a thread a row: rows start anywhere and end at different times, the values of x lie scattered.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S csr.cu -o csr.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

extern "C" __global__ void csr(const int *first, const int *columns, const float *values, const float *x, float *y,
                               int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int end = first[row + 1];
  float sum = 0.0f;
#pragma unroll 1
  for (int entry = first[row]; entry < end; ++entry)
    sum = __builtin_fmaf(values[entry], x[columns[entry]], sum);
  y[row] = sum;
}
