// steps[i] = number of Collatz steps from start[i] down to 1, at most limit: threads of a warp leave the loop at different times.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S collatz.cu -o collatz.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

extern "C" __global__ void collatz(const unsigned *start, unsigned *steps, int n, unsigned limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned value = start[i], count = 0;
  while (value > 1 && count < limit) {
    if (value & 1)
      value = 3 * value + 1;
    else
      value >>= 1;
    count++;
  }
  steps[i] = count;
}
