// A walk through memory: what the kernels with access patterns have in common.
#ifndef WALK_CUH
#define WALK_CUH

#define WARP 32

// Folds runs of LOADS values, LINE apart; the next run starts `step` values further on. The loads of a run do not wait for each other.
template <int LOADS, int LINE>
static inline __device__ __attribute__((always_inline)) float walk(const float *at, int step, int runs, int flops) {
  float sum[LOADS], value[LOADS];
#pragma unroll
  for (int k = 0; k < LOADS; ++k)
    sum[k] = 0.0f;
#pragma unroll 1
  for (int run = 0; run < runs; ++run, at += step) {
#pragma unroll
    for (int k = 0; k < LOADS; ++k)
      value[k] = at[k * LINE];
#pragma unroll 1
    for (int flop = 0; flop < flops; ++flop)
#pragma unroll
      for (int k = 0; k < LOADS; ++k)
        sum[k] = __builtin_fmaf(sum[k], 0.5f, value[k]);
  }
#pragma unroll
  for (int k = 1; k < LOADS; ++k)
    sum[0] += sum[k];
  return sum[0];
}

// The same for 1, 2, 4 or 8 loads in a row, which the launch says.
static inline __device__ __attribute__((always_inline)) float walk_lines(const float *at, int loads, int step, int runs,
                                                                        int flops) {
  if (loads == 1)
    return walk<1, WARP>(at, step, runs, flops);
  if (loads == 2)
    return walk<2, WARP>(at, step, runs, flops);
  if (loads == 4)
    return walk<4, WARP>(at, step, runs, flops);
  return walk<8, WARP>(at, step, runs, flops);
}

#endif
