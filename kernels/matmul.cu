// C (m x n) = A (m x k) B (k x n), row-major: a block computes one 16 x 16 tile of C through shared memory.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S matmul.cu -o matmul.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define TILE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int step = 0; step < k; step += TILE) {
    tile_a[y][x] = row < m && step + x < k ? a[row * k + step + x] : 0.0f;
    tile_b[y][x] = column < n && step + y < k ? b[(step + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}
