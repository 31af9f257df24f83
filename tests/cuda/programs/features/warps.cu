// Threads of a warp and a block: reductions, scans, votes, shuffles, compaction.
#include "features.h"

// The reduction of many samples: one template for all sizes of a block, the last warp without barriers.
template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int words[];
    return (T *)words;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double words_of_double[];
    return words_of_double;
  }
};

template <unsigned int block> __device__ void reduce_warp(volatile float *data, unsigned int t) {
  if (block >= 64) data[t] += data[t + 32];
  if (block >= 32) data[t] += data[t + 16];
  if (block >= 16) data[t] += data[t + 8];
  if (block >= 8) data[t] += data[t + 4];
  if (block >= 4) data[t] += data[t + 2];
  if (block >= 2) data[t] += data[t + 1];
}

template <unsigned int block, bool power_of_two> __global__ void reduce_unrolled(const float *in, float *out, unsigned int n) {
  float *data = SharedMemory<float>();
  unsigned int t = threadIdx.x, i = blockIdx.x * (block * 2) + t, grid = block * 2 * gridDim.x;
  float sum = 0;
  while (i < n) {
    sum += in[i];
    if (power_of_two || i + block < n)
      sum += in[i + block];
    i += grid;
  }
  data[t] = sum;
  __syncthreads();
  if (block >= 512) { if (t < 256) data[t] += data[t + 256]; __syncthreads(); }
  if (block >= 256) { if (t < 128) data[t] += data[t + 128]; __syncthreads(); }
  if (block >= 128) { if (t < 64) data[t] += data[t + 64]; __syncthreads(); }
  if (t < 32) reduce_warp<block>(data, t);
  if (t == 0) out[blockIdx.x] = data[0];
}

FEATURE(reduce_unrolled, "reduction: template over the block's size, last warp unrolled on volatile shared memory (SDK, SHOC)") {
  auto in = random_values<float>(1000, 64);
  in.resize(1024);
  Device<float> d_in(in), d_out(2);
  int wrong = 0;
  for (unsigned block : {32, 64, 128}) {
    size_t shared = (block <= 32 ? 2 : 1) * block * sizeof(float);
    unsigned n = block == 32 ? 999 : 1024;
    switch (block) {
    case 32: reduce_unrolled<32, false><<<2, block, shared>>>(d_in, d_out, n); break;
    case 64: reduce_unrolled<64, true><<<2, block, shared>>>(d_in, d_out, n); break;
    case 128: reduce_unrolled<128, true><<<2, block, shared>>>(d_in, d_out, n); break;
    }
    auto out = d_out.host();
    float sum = 0;
    for (unsigned i = 0; i < n; ++i)
      sum += in[i];
    wrong += out[0] + out[1] != sum;
  }
  return wrong;
}

template <class T> __global__ void reduce_of_type(const T *in, T *out) {
  T *data = SharedMemory<T>();
  data[threadIdx.x] = in[threadIdx.x];
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * s) == 0)
      data[threadIdx.x] += data[threadIdx.x + s];
  }
  if (threadIdx.x == 0)
    *out = data[0];
}

template <class T> int reduced() {
  auto in = random_values<T>(64, 100);
  Device<T> d_in(in), d_out(1);
  reduce_of_type<T><<<1, 64, 64 * sizeof(T)>>>(d_in, d_out);
  T sum = 0;
  for (T x : in)
    sum += x;
  return d_out.host()[0] != sum;
}
FEATURE(shared_memory_template, "dynamic shared memory of several types through a template structure (SDK simpleTemplates)") {
  return reduced<int>() + reduced<float>() + reduced<double>() + reduced<long long>();
}

// The block that comes last adds what the others have left.
__device__ unsigned int blocks_done = 0;
__global__ void reduce_last_block(const float *in, volatile float *part, float *out) {
  __shared__ float data[64];
  __shared__ bool is_last;
  data[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      data[threadIdx.x] += data[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = data[0];
    __threadfence();
    unsigned int ticket = atomicInc(&blocks_done, gridDim.x);
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    float sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      sum += part[i];
    data[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 1; i < blockDim.x; ++i)
        sum += data[i];
      *out = sum;
      blocks_done = 0;
    }
  }
}
FEATURE(reduce_last_block, "__threadfence and a counter of blocks: the last one finishes (SDK threadFenceReduction)") {
  auto in = random_values<float>(512, 64);
  Device<float> d_in(in), d_part(8), d_out(1);
  float sum = 0;
  for (float x : in)
    sum += x;
  int wrong = 0;
  for (int i = 0; i < 2; ++i) {
    reduce_last_block<<<8, 64>>>(d_in, d_part, d_out);
    wrong += d_out.host()[0] != sum;
  }
  return wrong;
}

__inline__ __device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down(value, offset);
  return value;
}
__inline__ __device__ int block_sum(int value) {
  static __shared__ int sums[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = warp_sum(value);
  if (lane == 0)
    sums[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? sums[lane] : 0;
  return warp == 0 ? warp_sum(value) : value;
}
__global__ void shuffles(const int *in, int *sum, float *floats, double *doubles, unsigned *segments) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = block_sum(in[i]);
  if (threadIdx.x == 0)
    atomicAdd(sum, total);
  floats[i] = __shfl_xor((float)in[i], 5) + __shfl((float)in[i], 3, 8) + __shfl_sync(0xffffffff, (float)i, i & 7, 16);
  doubles[i] = __shfl_up_sync(0xffffffff, (double)in[i] * 0.5, 1);
  unsigned value = (unsigned)i;
  #pragma unroll
  for (int offset = 1; offset < 16; offset <<= 1) {
    unsigned other = __shfl_up_sync(0xffffffff, value, offset, 16);
    if ((threadIdx.x & 15) >= offset)
      value += other;
  }
  segments[i] = value;
}
FEATURE(shuffles, "warp shuffles of all kinds and types, old and _sync, with widths; reductions of warp and block") {
  auto in = random_values<int>(128, 1000);
  Device<int> d_in(in), d_sum(1);
  Device<float> d_floats(128);
  Device<double> d_doubles(128);
  Device<unsigned> d_segments(128);
  shuffles<<<2, 64>>>(d_in, d_sum, d_floats, d_doubles, d_segments);
  int wrong = 0, sum = 0;
  auto floats = d_floats.host();
  auto doubles = d_doubles.host();
  auto segments = d_segments.host();
  for (int i = 0; i < 128; ++i) {
    int warp = i & ~31, lane = i & 31;
    sum += in[i];
    wrong += floats[i] != (float)in[warp + (lane ^ 5)] + (float)in[(i & ~7) + 3] + (float)((i & ~15) + (i & 7));
    wrong += doubles[i] != 0.5 * in[lane ? i - 1 : i];
    unsigned expected = 0;
    for (int k = i & ~15; k <= i; ++k)
      expected += k;
    wrong += segments[i] != expected;
  }
  return wrong + (d_sum.host()[0] != sum);
}

// Keeps what is positive: positions by votes, one atomic a warp.
__global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  unsigned votes = __ballot(value > 0), old = __ballot_sync(0xffffffff, value > 0);
  int lane = threadIdx.x & 31, base = 0;
  if (lane == 0 && votes == old)
    base = atomicAdd(count, __popc(votes));
  base = __shfl(base, 0);
  if (value > 0)
    out[base + __popc(votes & ((1u << lane) - 1))] = value;
}
FEATURE(compact, "compaction: __ballot, __popc, one atomic for a warp") {
  std::vector<int> in = random_values<int>(200, 10);
  for (int &x : in)
    x -= 4;
  Device<int> d_in(in), d_out(200), d_count(1);
  compact<<<4, 64>>>(d_in, d_out, d_count, 200);
  int count = d_count.host()[0], expected = 0;
  long sum = 0, squares = 0;
  auto out = d_out.host();
  for (int x : in)
    if (x > 0) {
      ++expected;
      sum += x;
      squares += x * x;
    }
  for (int i = 0; i < count; ++i) {
    sum -= out[i];
    squares -= out[i] * out[i];
  }
  return (count != expected) + (sum != 0) + (squares != 0);
}

__global__ void votes(const unsigned *in, unsigned *out) {
  unsigned i = threadIdx.x, x = in[i], result = 0;
  result |= __any(x > 90) << 0 | __all(x < 99) << 1 | __any_sync(0xffffffff, x == 7) << 2 | __all_sync(0xffffffff, x != 8) << 3;
  if (x & 1)
    result |= (__activemask() == __ballot(1)) << 4 | (unsigned)__popc(__activemask()) << 8;
  unsigned first = __ffs(__ballot(x > 50)) - 1;
  out[i] = result | first << 16;
  __syncwarp();
}
FEATURE(votes, "votes: __any, __all, __ballot, __activemask, old and _sync, also of a part of a warp") {
  auto in = random_values<unsigned>(64, 100);
  Device<unsigned> d_in(in), d_out(64);
  votes<<<1, 64>>>(d_in, d_out);
  auto out = d_out.host();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    bool any = false, all = true, seven = false, no_eight = true;
    unsigned odd = 0, first = 99;
    for (int k = i & ~31; k < (i & ~31) + 32; ++k) {
      any |= in[k] > 90;
      all &= in[k] < 99;
      seven |= in[k] == 7;
      no_eight &= in[k] != 8;
      odd += in[k] & 1;
      if (in[k] > 50 && first == 99)
        first = k & 31;
    }
    unsigned expected = any | all << 1 | seven << 2 | no_eight << 3 | first << 16;
    if (in[i] & 1)
      expected |= 1 << 4 | odd << 8;
    wrong += out[i] != expected;
  }
  return wrong;
}

// Scans within warps by shared memory with a pad of zeros, as sorts of SHOC and the SDK do.
template <class T> __device__ T scan_warp(T value, volatile T *data, const int maxlevel) {
  int index = 2 * threadIdx.x - (threadIdx.x & 31);
  data[index] = 0;
  index += 32;
  T t = data[index] = value;
  if (0 <= maxlevel) data[index] = t = t + data[index - 1];
  if (1 <= maxlevel) data[index] = t = t + data[index - 2];
  if (2 <= maxlevel) data[index] = t = t + data[index - 4];
  if (3 <= maxlevel) data[index] = t = t + data[index - 8];
  if (4 <= maxlevel) data[index] = t = t + data[index - 16];
  return data[index] - value;
}
__device__ uint4 scan4(uint4 four) {
  extern __shared__ unsigned int scanned[];
  unsigned int index = threadIdx.x, sum[3];
  sum[0] = four.x;
  sum[1] = four.y + sum[0];
  sum[2] = four.z + sum[1];
  unsigned int value = four.w + sum[2];
  value = scan_warp(value, scanned, 4);
  __syncthreads();
  if ((index & 31) == 31)
    scanned[index >> 5] = value + four.w + sum[2];
  __syncthreads();
  if (index < 32)
    scanned[index] = scan_warp(scanned[index], scanned, 2);
  __syncthreads();
  value += scanned[index >> 5];
  return make_uint4(value, value + sum[0], value + sum[1], value + sum[2]);
}
__global__ void sort_step(const uint4 *in, uint4 *out, int bit) {
  extern __shared__ unsigned int scanned[];
  uint4 key = in[threadIdx.x];
  uint4 predicate = make_uint4(!(key.x >> bit & 1), !(key.y >> bit & 1), !(key.z >> bit & 1), !(key.w >> bit & 1));
  uint4 address = scan4(predicate);
  __shared__ unsigned int trues;
  if (threadIdx.x == blockDim.x - 1)
    trues = address.w + predicate.w;
  __syncthreads();
  unsigned index = threadIdx.x << 2;
  unsigned rank[4] = {predicate.x ? address.x : trues + index - address.x, predicate.y ? address.y : trues + index + 1 - address.y,
                      predicate.z ? address.z : trues + index + 2 - address.z, predicate.w ? address.w : trues + index + 3 - address.w};
  unsigned keys[4] = {key.x, key.y, key.z, key.w};
  #pragma unroll
  for (int k = 0; k < 4; ++k)
    scanned[(rank[k] & 3) * blockDim.x + (rank[k] >> 2)] = keys[k];
  __syncthreads();
  unsigned t = threadIdx.x;
  out[t] = make_uint4(scanned[t], scanned[t + blockDim.x], scanned[t + 2 * blockDim.x], scanned[t + 3 * blockDim.x]);
}
FEATURE(sort_step, "radix sort: uint4 keys, scans of warps on volatile shared memory, split by rank (SHOC Sort, SDK radixSort)") {
  auto in = random_values<unsigned>(256, 256);
  Device<unsigned> a(in), b(256);
  unsigned *from = a, *to = b;
  for (int bit = 0; bit < 8; ++bit) {
    sort_step<<<1, 64, 256 * sizeof(unsigned)>>>((uint4 *)from, (uint4 *)to, bit);
    unsigned *t = from;
    from = to;
    to = t;
  }
  auto out = a.host();
  int wrong = 0;
  long sum = 0;
  for (int i = 0; i < 256; ++i) {
    sum += (long)out[i] * out[i] - (long)in[i] * in[i];
    wrong += i && out[i - 1] > out[i];
  }
  return wrong + (sum != 0);
}

// Work-efficient scan with padded addresses.
#define CONFLICT_FREE(n) ((n) >> 5)
__global__ void scan_tree(const float *in, float *out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, offset = 1, ai = t, bi = t + n / 2;
  temp[ai + CONFLICT_FREE(ai)] = in[ai];
  temp[bi + CONFLICT_FREE(bi)] = in[bi];
  for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      temp[b + CONFLICT_FREE(b)] += temp[a + CONFLICT_FREE(a)];
    }
  }
  if (t == 0)
    temp[n - 1 + CONFLICT_FREE(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      a += CONFLICT_FREE(a);
      b += CONFLICT_FREE(b);
      float before = temp[a];
      temp[a] = temp[b];
      temp[b] += before;
    }
  }
  __syncthreads();
  out[ai] = temp[ai + CONFLICT_FREE(ai)];
  out[bi] = temp[bi + CONFLICT_FREE(bi)];
}
FEATURE(scan_tree, "scan of a block up and down a tree, addresses padded against bank conflicts (SDK scan)") {
  auto in = random_values<float>(128, 50);
  Device<float> d_in(in), d_out(128);
  scan_tree<<<1, 64, (128 + 4) * sizeof(float)>>>(d_in, d_out, 128);
  std::vector<float> expected(128);
  for (int i = 1; i < 128; ++i)
    expected[i] = expected[i - 1] + in[i - 1];
  return differences(d_out.host(), expected);
}

__global__ void block_votes(const int *in, int *out) {
  int p = in[blockIdx.x * blockDim.x + threadIdx.x] > 3;
  int count = __syncthreads_count(p), all = __syncthreads_and(p), any = __syncthreads_or(p);
  if (threadIdx.x == 0)
    out[blockIdx.x] = count | all << 16 | any << 17;
}
FEATURE(block_votes, "barriers that vote: __syncthreads_count, _and, _or") {
  std::vector<int> in(192);
  for (int i = 0; i < 192; ++i)
    in[i] = i < 64 ? 5 : i < 128 ? 0 : i % 7;
  Device<int> d_in(in), d_out(3);
  block_votes<<<3, 64>>>(d_in, d_out);
  std::vector<int> expected(3);
  for (int b = 0; b < 3; ++b) {
    int count = 0;
    for (int i = 0; i < 64; ++i)
      count += in[64 * b + i] > 3;
    expected[b] = count | (count == 64) << 16 | (count > 0) << 17;
  }
  return differences(d_out.host(), expected);
}

// Bitonic sort of a block, as SDK, Mars and hybrid sorts have it.
__device__ inline void compare_exchange(unsigned &key_a, unsigned &value_a, unsigned &key_b, unsigned &value_b, unsigned direction) {
  unsigned t;
  if ((key_a > key_b) == direction) {
    t = key_a; key_a = key_b; key_b = t;
    t = value_a; value_a = value_b; value_b = t;
  }
}
__global__ void bitonic(unsigned *keys, unsigned *values, unsigned direction) {
  __shared__ unsigned s_key[128], s_value[128];
  for (int i = threadIdx.x; i < 128; i += blockDim.x) {
    s_key[i] = keys[i];
    s_value[i] = values[i];
  }
  for (unsigned size = 2; size < 128; size <<= 1) {
    unsigned ddd = direction ^ ((threadIdx.x & (size / 2)) != 0);
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      compare_exchange(s_key[pos], s_value[pos], s_key[pos + stride], s_value[pos + stride], ddd);
    }
  }
  for (unsigned stride = 64; stride > 0; stride >>= 1) {
    __syncthreads();
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare_exchange(s_key[pos], s_value[pos], s_key[pos + stride], s_value[pos + stride], direction);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += blockDim.x) {
    keys[i] = s_key[i];
    values[i] = s_value[i];
  }
}
FEATURE(bitonic, "sorting network of keys and values, references to shared memory (SDK sortingNetworks, Mars)") {
  auto keys = random_values<unsigned>(128, 1000);
  std::vector<unsigned> values(128);
  for (unsigned i = 0; i < 128; ++i)
    values[i] = i;
  Device<unsigned> d_keys(keys), d_values(values);
  bitonic<<<1, 64>>>(d_keys, d_values, 1);
  auto sorted = d_keys.host(), with = d_values.host();
  int wrong = 0;
  for (int i = 0; i < 128; ++i)
    wrong += (i && sorted[i - 1] > sorted[i]) || keys[with[i] & 127] != sorted[i];
  return wrong;
}
