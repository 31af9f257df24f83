// The second file of the graph program.
#include "other_file.h"
#include "check.h"

static __device__ int table[5] = {9, 8, 7, 6, 5};

__global__ void read_there(int *out) {
  table[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    *out = table[0] * 100 + table[1] * 10 + table[4];
}

int there() {
  int *d_out, out = 0, changed[5];
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  read_there<<<1, 5>>>(d_out);
  CHECK(cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(changed, table, sizeof changed));
  CHECK(cudaFree(d_out));
  return out != 1096 || changed[3] != 7;
}
