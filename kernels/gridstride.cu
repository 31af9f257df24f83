// out = a function of a, b and c, element by element: the grid strides over them, 4, 8 or 16 bytes a thread.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S gridstride.cu -o gridstride.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

typedef float floats2 __attribute__((ext_vector_type(2)));
typedef float floats4 __attribute__((ext_vector_type(4)));

static inline __device__ __attribute__((always_inline)) float fma_of(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
static inline __device__ __attribute__((always_inline)) floats2 fma_of(floats2 a, floats2 b, floats2 c) {
  return floats2{fma_of(a.x, b.x, c.x), fma_of(a.y, b.y, c.y)};
}
static inline __device__ __attribute__((always_inline)) floats4 fma_of(floats4 a, floats4 b, floats4 c) {
  return floats4{fma_of(a.x, b.x, c.x), fma_of(a.y, b.y, c.y), fma_of(a.z, b.z, c.z), fma_of(a.w, b.w, c.w)};
}

template <typename T>
static inline __device__ __attribute__((always_inline)) void stride_over(const T *a, const T *b, const T *c, T *out,
                                                                         int count, int flops) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    T result = a[i], factor = b[i], summand = c[i];
#pragma unroll 1
    for (int flop = 0; flop < flops; ++flop)
      result = fma_of(result, factor, summand);
    out[i] = result;
  }
}

// count: elements of `bytes` bytes.
extern "C" __global__ void gridstride(const float *a, const float *b, const float *c, float *out, int bytes, int count,
                                      int flops) {
  if (bytes == 4)
    stride_over(a, b, c, out, count, flops);
  else if (bytes == 8)
    stride_over((const floats2 *)a, (const floats2 *)b, (const floats2 *)c, (floats2 *)out, count, flops);
  else
    stride_over((const floats4 *)a, (const floats4 *)b, (const floats4 *)c, (floats4 *)out, count, flops);
}
