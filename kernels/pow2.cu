// Walsh butterflies of 2, 4 or 8 elements a power of two apart, in place. Lanes follow each other along a row, or down a column (`turned`).
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S pow2.cu -o pow2.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

// A group is RADIX rows of 2^log_stride elements; `pitch`: from row to row, the padding with it.
template <int RADIX>
static inline __device__ __attribute__((always_inline)) void butterfly(float *at, int pitch) {
  float value[RADIX];
#pragma unroll
  for (int k = 0; k < RADIX; ++k)
    value[k] = at[k * pitch];
#pragma unroll
  for (int half = 1; half < RADIX; half *= 2)
#pragma unroll
    for (int k = 0; k < RADIX; ++k)
      if (!(k & half)) {
        float low = value[k], high = value[k + half];
        value[k] = low + high;
        value[k + half] = low - high;
      }
#pragma unroll
  for (int k = 0; k < RADIX; ++k)
    at[k * pitch] = value[k];
}

extern "C" __global__ void pow2(float *data, int radix, int log_stride, int pitch, int turned, int log_groups) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int group = turned ? thread & ((1 << log_groups) - 1) : thread >> log_stride;
  int column = turned ? thread >> log_groups : thread & ((1 << log_stride) - 1);
  float *at = data + group * radix * pitch + column;
  if (radix == 2)
    butterfly<2>(at, pitch);
  else if (radix == 4)
    butterfly<4>(at, pitch);
  else
    butterfly<8>(at, pitch);
}
