// What real programs need beside arithmetic: functions that are not inlined, variables of the file, structures by value, dynamic shared memory, arrays indexed at run
// time, generic pointers. Compiled by
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -ffp-contract=off -S features.cu -o features.ptx
#include "../../kernels/warpmesh.cuh"

__device__ unsigned table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

struct Scale {
  float bias[4];
  int shift;
};

__device__ __attribute__((noinline)) float ratio(float a, float b) { return a < b ? a / b : b / a; }

extern __shared__ float open_array[];

extern "C" __global__ void ratios(const float *in, float *out, Scale scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  open_array[threadIdx.x] = in[i];
  __syncthreads();
  float other = open_array[blockDim.x - 1 - threadIdx.x] + scale.bias[(i >> scale.shift) & 3];
  out[i] = ratio(in[i], other) + __nvvm_sqrt_rn_f(other);
}

__device__ __attribute__((noinline)) void order(unsigned *a, unsigned *b) {
  if (*a > *b) {
    unsigned t = *a;
    *a = *b;
    *b = t;
  }
}

// Sorts eight words of each thread; the least and the greatest of them go through shared or global memory, as the thread's number says.
extern "C" __global__ void sorted(const unsigned *in, unsigned *out) {
  __shared__ unsigned exchange[64];
  unsigned own[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++)
    own[k] = in[8 * i + k] ^ table[(i + k) & 7];
  for (int end = 7; end > 0; end--)
    for (int k = 0; k < end; k++)
      order(&own[k], &own[k + 1]);
  unsigned *place = i % 3 == 0 ? &exchange[threadIdx.x] : &out[8 * i];
  *place = own[own[7] & 7];
  for (int k = 1; k < 8; k++)
    out[8 * i + k] = own[k] / (1 + (own[0] & 0xff));
  if (i % 3 == 0)
    out[8 * i] = *place + 1;
}
