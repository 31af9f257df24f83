// out = mean of each texel of a picture and its four neighbours: a texture in two dimensions, clamped at its edges.
// texref image
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S blur.cu -o blur.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

static inline __device__ __attribute__((always_inline)) float texel(int x, int y) {
  float r, g, b, a;
  asm("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [image, {%4, %5}];" : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "r"(x), "r"(y));
  return r;
}

extern "C" __global__ void blur(float *out, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  float sum = texel(x, y);
  sum += texel(x - 1, y);
  sum += texel(x + 1, y);
  sum += texel(x, y - 1);
  sum += texel(x, y + 1);
  out[y * columns + x] = sum * 0.2f;
}
