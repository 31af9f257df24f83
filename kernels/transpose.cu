// out (columns x rows) = transpose of in (rows x columns), through 16 x 16 tiles padded against bank conflicts.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S transpose.cu -o transpose.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define TILE 16

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  if (row < rows && column < columns)
    tile[y][x] = in[row * columns + column];
  __syncthreads();
  column = blockIdx.y * TILE + x;
  row = blockIdx.x * TILE + y;
  if (row < columns && column < rows)
    out[row * rows + column] = tile[x][y];
}
