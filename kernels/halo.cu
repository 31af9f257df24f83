// out = a star stencil of planes, plane by plane: neighbours come from a tile in shared memory with barriers, or straight from memory.
// clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_35 -O2 -S halo.cu -o halo.ptx   (kernels/build.sh)
#include "warpmesh.cuh"

#define WIDE 32
#define MAX_ROWS 16
#define MAX_HALO 2
#define TILE_PITCH (WIDE + 2 * MAX_HALO)

// Neighbours up to `halo` away in the plane, and one in the planes below and above.
template <typename P>
static inline __device__ __attribute__((always_inline)) float star(P at, int pitch, int halo, float below, float centre,
                                                                  float above) {
  float sum = below + above;
#pragma unroll 1
  for (int d = 1; d <= halo; ++d) {
    float west = at[-d], east = at[d], north = at[-d * pitch], south = at[d * pitch];
    sum = sum + west + east + north + south;
  }
  return __builtin_fmaf(sum, -0.125f, centre);
}

// in: `planes` + 2 planes of `plane` elements in rows of `pitch`, `halo` rows more at each end and WIDE columns; out: without all that.
extern "C" __global__ void halo(const float *in, float *out, int planes, int plane, int pitch, int halo, int barriers) {
  __shared__ float tile[(MAX_ROWS + 2 * MAX_HALO) * TILE_PITCH];
  int x = threadIdx.x, y = threadIdx.y, rows = blockDim.y;
  int column = blockIdx.x * WIDE + x, row = blockIdx.y * rows + y, wide = gridDim.x * WIDE;
  const float *at = in + (row + halo) * pitch + WIDE + column;
  out += row * wide + column;
  float *own = &tile[(y + MAX_HALO) * TILE_PITCH + MAX_HALO + x];
  float below = at[0], centre = at[plane];
#pragma unroll 1
  for (int z = 0; z < planes; ++z) {
    at += plane;
    float above = at[plane];
    if (barriers) {
      *own = centre;
      if (y < halo) {
        own[-halo * TILE_PITCH] = at[-halo * pitch];
        own[rows * TILE_PITCH] = at[rows * pitch];
      }
      if (x < halo) {
        own[-halo] = at[-halo];
        own[WIDE] = at[WIDE];
      }
      __syncthreads();
      *out = star(own, TILE_PITCH, halo, below, centre, above);
      __syncthreads();
    } else {
      *out = star(at, pitch, halo, below, centre, above);
    }
    below = centre;
    centre = above;
    out += gridDim.y * rows * wide;
  }
}
