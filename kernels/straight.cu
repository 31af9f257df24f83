// out[thread] = a weighted sum of 2 to 9 values at a constant distance: straight-line loads, no loop. Sixteen threads to a row.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S straight.cu -o straight.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define WIDE 16

template <int LOADS>
static inline __device__ __attribute__((always_inline)) float sum_of(const float *at, int distance) {
  float value[LOADS], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < LOADS; ++k)
    value[k] = at[k * distance];
#pragma unroll
  for (int k = 0; k < LOADS; ++k)
    sum = __builtin_fmaf(value[k], 0.125f * (k + 1), sum);
  return sum;
}

extern "C" __global__ void straight(const float *in, float *out, int loads, int distance, int pitch) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const float *at = in + thread / WIDE * pitch + thread % WIDE;
  float sum;
  if (loads == 2)
    sum = sum_of<2>(at, distance);
  else if (loads == 3)
    sum = sum_of<3>(at, distance);
  else if (loads == 4)
    sum = sum_of<4>(at, distance);
  else if (loads == 5)
    sum = sum_of<5>(at, distance);
  else if (loads == 6)
    sum = sum_of<6>(at, distance);
  else if (loads == 7)
    sum = sum_of<7>(at, distance);
  else if (loads == 8)
    sum = sum_of<8>(at, distance);
  else
    sum = sum_of<9>(at, distance);
  out[thread] = sum;
}
