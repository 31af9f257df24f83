// What random programs are made of: functions that device and host have, where a device uses the language's and the host a model of its own.
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>
namespace cg = cooperative_groups;

#define BOTH __host__ __device__ static inline
#define APART __host__ __device__ __attribute__((noinline))

const int VALUES = 6, WIDTH = 24, HEIGHT = 10, CELLS = 16;

struct Node {
  unsigned value;
  Node *next;
};
// A thread: values, and what it has on the heap.
struct S {
  unsigned v[VALUES];
  Node *list;
};
// What a thread has beside: surfaces, on the host arrays, and its place in the grid.
struct C {
  cudaSurfaceObject_t from, to;
  unsigned *from_texels, *to_texels;
  int place;
};

BOTH S initial(unsigned seed, int place) {
  S s;
  for (int i = 0; i < VALUES; ++i) {
    unsigned x = seed + 0x9e3779b9u * (place * VALUES + i + 1);
    x ^= x >> 16, x *= 0x85ebca6bu, x ^= x >> 13, x *= 0xc2b2ae35u, x ^= x >> 16;
    s.v[i] = x;
  }
  s.list = nullptr;
  return s;
}

// -- the model of half precision: integers, which are exact

static unsigned rounded(bool negative, unsigned __int128 magnitude, int unit) {
  // `magnitude` times two to the power of `unit`, to the nearest number of 11 bits, of two the even one.
  unsigned sign = negative ? 0x8000u : 0;
  if (!magnitude)
    return sign;
  int top = 127;
  while (!(magnitude >> top & 1))
    --top;
  int quantum = std::max(top + unit - 10, -24), shift = quantum - unit;
  unsigned __int128 whole = magnitude;
  if (shift > 0) {
    unsigned __int128 rest = shift > 127 ? magnitude : magnitude & (((unsigned __int128)1 << shift) - 1), half = (unsigned __int128)1 << (shift - 1);
    whole = magnitude >> shift;
    if (rest > half || (rest == half && (whole & 1)))
      ++whole;
  } else {
    whole <<= -shift;
  }
  // 2048 quanta are 1024 of the next.
  unsigned bits = quantum == -24 ? (unsigned)whole : (unsigned)whole + ((unsigned)(quantum + 24) << 10);
  return bits >= 0x7c00 ? sign | 0x7c00 : sign | bits;
}
static bool is_finite16(unsigned h) { return (h & 0x7c00) != 0x7c00; }
static bool is_nan16(unsigned h) { return (h & 0x7fff) > 0x7c00; }
static long long units16(unsigned h) {
  long long magnitude = h & 0x7c00 ? (long long)((h & 0x3ff) | 0x400) << ((h >> 10 & 31) - 1) : h & 0x3ff;
  return h & 0x8000 ? -magnitude : magnitude;
}
static double double16(unsigned h) {
  if (is_nan16(h))
    return NAN;
  return is_finite16(h) ? (h & 0x8000 ? -1 : 1) * std::ldexp((double)std::llabs(units16(h)), -24) : h & 0x8000 ? -INFINITY : INFINITY;
}
static unsigned half_of_double(double x) {
  if (x != x)
    return 0x7fff;
  bool negative = std::signbit(x);
  if (std::isinf(x))
    return negative ? 0xfc00 : 0x7c00;
  int exponent;
  double fraction = std::frexp(std::fabs(x), &exponent);
  // Below a quarter of the least number nothing is left.
  if (exponent < -26)
    return negative ? 0x8000 : 0;
  return rounded(negative, (unsigned __int128)std::ldexp(fraction, 53), exponent - 53);
}
static unsigned half_fma(unsigned a, unsigned b, unsigned c) {
  if (!is_finite16(a) || !is_finite16(b) || !is_finite16(c))
    return half_of_double(double16(a) * double16(b) + double16(c));
  __int128 product = (__int128)units16(a) * units16(b), sum = product + ((__int128)units16(c) << 24);
  bool negative_product = (a ^ b) & 0x8000, negative_c = c & 0x8000;
  if (!sum)
    return !product && !units16(c) && negative_product && negative_c ? 0x8000 : 0;
  return rounded(sum < 0, sum < 0 ? -sum : sum, -48);
}
static unsigned bits_of(float x) { unsigned bits; memcpy(&bits, &x, 4); return bits; }
static float float_of(unsigned bits) { float x; memcpy(&x, &bits, 4); return x; }
static float wide_bf16(unsigned h) { return float_of(h << 16); }
static unsigned bf16_of(float x) {
  unsigned bits = bits_of(x);
  return x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
// Minimum and maximum: a number where the other is none, the negative zero below the other.
template <class Wide> static unsigned least(unsigned a, unsigned b, Wide wide, bool most) {
  double x = wide(a), y = wide(b);
  if (x != x || y != y)
    return x != x ? b : a;
  bool first = x == y ? (a & 0x8000) > (b & 0x8000) : x < y;
  return first != most ? a : b;
}

BOTH unsigned number16(unsigned bits, unsigned infinity) { return (bits & 0x7fff) > infinity ? 0x7fff : bits & 0xffff; }

enum Operation { ADD, SUB, MUL, FMA, DIV, ROOT, LEAST, MOST, MINUS, ABSOLUTE, LESS, EQUAL, OPERATIONS };

BOTH unsigned half_one(int operation, unsigned a, unsigned b, unsigned c) {
  a &= 0xffff, b &= 0xffff, c &= 0xffff;
  unsigned result;
#ifdef __CUDA_ARCH__
  __half x = __ushort_as_half(a), y = __ushort_as_half(b), z = __ushort_as_half(c), r;
  switch (operation) {
  case ADD: r = __hadd(x, y); break;
  case SUB: r = x - y; break;
  case MUL: r = __hmul(x, y); break;
  case FMA: r = __hfma(x, y, z); break;
  case DIV: r = x / y; break;
  case ROOT: r = hsqrt(x); break;
  case LEAST: r = __hmin(x, y); break;
  case MOST: r = __hmax(x, y); break;
  case MINUS: r = __hneg(x); break;
  case ABSOLUTE: r = __habs(x); break;
  case LESS: return x < y;
  default: return x == y;
  }
  result = __half_as_ushort(r);
#else
  double x = double16(a), y = double16(b);
  switch (operation) {
  case ADD: result = half_of_double(x + y); break;
  case SUB: result = half_of_double(x - y); break;
  case MUL: result = half_of_double(x * y); break;
  case FMA: result = half_fma(a, b, c); break;
  case DIV: result = half_of_double(x / y); break;
  case ROOT: result = half_of_double(std::sqrt(x)); break;
  case LEAST: result = least(a, b, double16, false); break;
  case MOST: result = least(a, b, double16, true); break;
  case MINUS: result = a ^ 0x8000; break;
  case ABSOLUTE: result = a & 0x7fff; break;
  case LESS: return x < y;
  default: return x == y;
  }
#endif
  return number16(result, 0x7c00);
}
BOTH unsigned bf16_one(int operation, unsigned a, unsigned b, unsigned c) {
  a &= 0xffff, b &= 0xffff, c &= 0xffff;
  unsigned result;
#ifdef __CUDA_ARCH__
  __nv_bfloat16 x = __ushort_as_bfloat16(a), y = __ushort_as_bfloat16(b), z = __ushort_as_bfloat16(c), r;
  switch (operation) {
  case ADD: r = x + y; break;
  case SUB: r = __hsub(x, y); break;
  case MUL: r = x * y; break;
  case FMA: r = __hfma(x, y, z); break;
  case DIV: r = __hdiv(x, y); break;
  case ROOT: r = hsqrt(x); break;
  case LEAST: r = __hmin(x, y); break;
  case MOST: r = __hmax(x, y); break;
  case MINUS: r = -x; break;
  case ABSOLUTE: r = __habs(x); break;
  case LESS: return x < y;
  default: return x == y;
  }
  result = __bfloat16_as_ushort(r);
#else
  float x = wide_bf16(a), y = wide_bf16(b);
  switch (operation) {
  case ADD: result = bf16_of(x + y); break;
  case SUB: result = bf16_of(x - y); break;
  case MUL: result = bf16_of(x * y); break;
  case FMA: result = bf16_of(fmaf(x, y, wide_bf16(c))); break;
  case DIV: result = bf16_of(x / y); break;
  case ROOT: result = bf16_of(std::sqrt(x)); break;
  case LEAST: result = least(a, b, wide_bf16, false); break;
  case MOST: result = least(a, b, wide_bf16, true); break;
  case MINUS: result = a ^ 0x8000; break;
  case ABSOLUTE: result = a & 0x7fff; break;
  case LESS: return x < y;
  default: return x == y;
  }
#endif
  return number16(result, 0x7f80);
}
// Both numbers of a word at a time on the device.
BOTH unsigned half_two(int operation, unsigned a, unsigned b, unsigned c) {
#ifdef __CUDA_ARCH__
  __half2 x = __halves2half2(__ushort_as_half(a & 0xffff), __ushort_as_half(a >> 16)), y = __halves2half2(__ushort_as_half(b & 0xffff), __ushort_as_half(b >> 16)),
          z = __halves2half2(__ushort_as_half(c & 0xffff), __ushort_as_half(c >> 16)), r;
  switch (operation) {
  case ADD: r = __hadd2(x, y); break;
  case SUB: r = __hsub2(x, y); break;
  case MUL: r = x * y; break;
  default: r = __hfma2(x, y, z);
  }
  return number16(__half_as_ushort(__low2half(r)), 0x7c00) | number16(__half_as_ushort(__high2half(r)), 0x7c00) << 16;
#else
  return half_one(operation, a, b, c) | half_one(operation, a >> 16, b >> 16, c >> 16) << 16;
#endif
}
BOTH unsigned half_of_float(unsigned bits) {
#ifdef __CUDA_ARCH__
  return number16(__half_as_ushort(__float2half(__uint_as_float(bits))), 0x7c00);
#else
  return half_of_double(float_of(bits));
#endif
}
BOTH unsigned float_of_half(unsigned half) {
#ifdef __CUDA_ARCH__
  float x = __half2float(__ushort_as_half(half));
  return x != x ? 0x7fffffff : __float_as_uint(x);
#else
  double x = double16(half & 0xffff);
  return x != x ? 0x7fffffff : bits_of((float)x);
#endif
}
BOTH unsigned int_of_half(unsigned half) {
#ifdef __CUDA_ARCH__
  return __half2int_rz(__ushort_as_half(half));
#else
  double x = double16(half & 0xffff);
  return x != x ? 0 : std::isinf(x) ? (x < 0 ? 0x80000000u : 0x7fffffffu) : (unsigned)(int)x;
#endif
}

// -- surfaces: `mode` 0 gives zeros beyond the edges, 1 the texel at the edge

BOTH unsigned surface_read(const C &c, unsigned x, unsigned y, int mode) {
  int column = (int)(x % (WIDTH + 8)) - 4, row = (int)(y % (HEIGHT + 6)) - 3;
#ifdef __CUDA_ARCH__
  return mode ? surf2Dread<unsigned>(c.from, column * 4, row, cudaBoundaryModeClamp) : surf2Dread<unsigned>(c.from, column * 4, row, cudaBoundaryModeZero);
#else
  bool inside = column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT;
  column = std::min(std::max(column, 0), WIDTH - 1), row = std::min(std::max(row, 0), HEIGHT - 1);
  return inside || mode ? c.from_texels[row * WIDTH + column] : 0;
#endif
}
// A thread's own texel: what it holds before, with two halves written apart.
BOTH unsigned surface_change(const C &c, unsigned value) {
#ifdef __CUDA_ARCH__
  unsigned before = surf1Dread<unsigned>(c.to, c.place * 4);
  surf1Dwrite((unsigned short)(value >> 16), c.to, c.place * 4);
  surf1Dwrite((unsigned char)value, c.to, c.place * 4 + 3, cudaBoundaryModeClamp);
#else
  unsigned before = c.to_texels[c.place];
  c.to_texels[c.place] = (before & 0x00ff0000u) | value >> 16 | value << 24;
#endif
  return before;
}

// -- the heap

BOTH unsigned on_heap(unsigned seed, unsigned words, bool as_objects) {
  unsigned *at = as_objects ? new unsigned[words] : (unsigned *)malloc(4 * words), sum = 0;
  if (!at)
    return 0xdead;
  for (unsigned i = 0; i < words; ++i)
    at[i] = seed * (i + 3) ^ i << 7;
  for (unsigned i = words; i-- > 0;)
    sum = sum * 33 + at[(i * 5 + seed) % words];
  if (as_objects)
    delete[] at;
  else
    free(at);
  return sum;
}
BOTH void push(S &s, unsigned value) {
  Node *node = new Node;
  node->value = value, node->next = s.list;
  s.list = node;
}
BOTH unsigned pop(S &s, unsigned most) {
  unsigned sum = 1;
  for (; s.list && most; --most) {
    Node *node = s.list;
    sum = sum * 31 + node->value;
    s.list = node->next;
    delete node;
  }
  return sum;
}

// -- groups, on the host over all threads of a block

enum Tile { SHUFFLE, UP, DOWN, EXCHANGE, BALLOT, ANY, ALL, SUM, LARGEST, SCAN, TILES };
template <int size> __device__ unsigned in_tile(int operation, unsigned value, unsigned other) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  switch (operation) {
  case SHUFFLE: return tile.shfl(value, other % size);
  case UP: return tile.shfl_up(value, 1 + size / 4);
  case DOWN: return tile.shfl_down(value, size / 2);
  case EXCHANGE: return tile.shfl_xor(value, size - 1);
  case BALLOT: return tile.ballot(value & 1);
  case ANY: return tile.any(value % 5 == 0);
  case ALL: return tile.all(value % 5 != 0) + 2 * tile.thread_rank();
  case SUM: return cg::reduce(tile, value, cg::plus<unsigned>());
  case LARGEST: return cg::reduce(tile, value, cg::greater<unsigned>());
  default: return cg::inclusive_scan(tile, value, cg::plus<unsigned>());
  }
}
static unsigned in_tile_model(int size, int operation, const std::vector<unsigned> &values, const std::vector<unsigned> &others, int thread) {
  int first = thread / size * size, rank = thread % size;
  unsigned result = operation == ALL;
  switch (operation) {
  case SHUFFLE: return values[first + others[thread] % size];
  case UP: return values[first + (rank < 1 + size / 4 ? rank : rank - 1 - size / 4)];
  case DOWN: return values[first + (rank + size / 2 >= size ? rank : rank + size / 2)];
  case EXCHANGE: return values[first + (rank ^ (size - 1))];
  default:
    for (int i = 0; i < size; ++i) {
      unsigned value = values[first + i];
      switch (operation) {
      case BALLOT: result |= (value & 1) << i; break;
      case ANY: result |= value % 5 == 0; break;
      case ALL: result &= value % 5 != 0; break;
      case SUM: result += value; break;
      case LARGEST: result = std::max(result, value); break;
      default: result += i <= rank ? value : 0;
      }
    }
    return operation == ALL ? result + 2 * rank : result;
  }
}
// Those of a warp that are together in a branch.
__device__ static inline unsigned together(int operation, unsigned value, unsigned other) {
  cg::coalesced_group group = cg::coalesced_threads();
  switch (operation) {
  case SHUFFLE: return group.shfl(value, other % group.size()) + group.size();
  case UP: return group.shfl_up(value, 1);
  case BALLOT: return group.ballot(value & 1);
  case SUM: return cg::reduce(group, value, cg::plus<unsigned>());
  default: return group.thread_rank() * 37 + group.any(value % 7 == 0);
  }
}
static unsigned together_model(int operation, const std::vector<unsigned> &values, unsigned other, unsigned rank) {
  unsigned size = values.size(), result = 0;
  switch (operation) {
  case SHUFFLE: return values[other % size] + size;
  case UP: return values[rank ? rank - 1 : 0];
  case BALLOT:
    for (unsigned i = 0; i < size; ++i)
      result |= (values[i] & 1) << i;
    return result;
  case SUM:
    for (unsigned value : values)
      result += value;
    return result;
  default:
    for (unsigned value : values)
      result |= value % 7 == 0;
    return rank * 37 + result;
  }
}

// -- 64 bits of shared memory

enum Wide { WIDE_ADD, WIDE_LEAST, WIDE_MOST, WIDE_AND, WIDE_OR, WIDE_XOR, WIDES };
typedef unsigned long long Cell;
BOTH Cell wide_value(unsigned a, unsigned b) { return (Cell)a << 32 | b; }
__device__ static inline void wide_atomic(int operation, Cell *at, Cell value) {
  switch (operation) {
  case WIDE_ADD: atomicAdd(at, value); break;
  case WIDE_LEAST: atomicMin(at, value); break;
  case WIDE_MOST: atomicMax(at, value); break;
  case WIDE_AND: atomicAnd(at, value); break;
  case WIDE_OR: atomicOr(at, value); break;
  default: atomicXor(at, value);
  }
}
static void wide_model(int operation, Cell &at, Cell value) {
  switch (operation) {
  case WIDE_ADD: at += value; break;
  case WIDE_LEAST: at = std::min(at, value); break;
  case WIDE_MOST: at = std::max(at, value); break;
  case WIDE_AND: at &= value; break;
  case WIDE_OR: at |= value; break;
  default: at ^= value;
  }
}

// -- a program of kernels

const int BLOCKS = 2;
struct Kernel {
  void (*device)(unsigned, C, unsigned *);
  void (*host)(unsigned, C, int, unsigned *);
  int threads;
  unsigned seed;
};
static cudaArray_t surface_array(int width, int height, cudaSurfaceObject_t &surface, const std::vector<unsigned> &texels) {
  cudaResourceDesc resource = {};
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &format, width, height, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels.data(), width * 4, width * 4, std::max(height, 1), cudaMemcpyHostToDevice);
  cudaCreateSurfaceObject(&surface, &resource);
  return resource.res.array.array;
}
static std::vector<unsigned> texels_for(unsigned seed, int count) {
  std::vector<unsigned> texels;
  for (int i = 0; i < count; ++i)
    texels.push_back(initial(seed, i).v[i % VALUES]);
  return texels;
}
static bool checked(const Kernel &kernel) {
  const int threads = BLOCKS * kernel.threads, count = threads * VALUES;
  std::vector<unsigned> from = texels_for(kernel.seed, WIDTH * HEIGHT), to = texels_for(~kernel.seed, threads), out(count), expected(count), found(threads);
  C c = {};
  cudaArray_t from_array = surface_array(WIDTH, HEIGHT, c.from, from), to_array = surface_array(threads, 0, c.to, to);
  unsigned *device;
  cudaMalloc(&device, 4 * count);
  kernel.device<<<BLOCKS, kernel.threads>>>(kernel.seed, c, device);
  cudaError_t error = cudaMemcpy(out.data(), device, 4 * count, cudaMemcpyDeviceToHost);
  cudaMemcpy2DFromArray(found.data(), threads * 4, to_array, 0, 0, threads * 4, 1, cudaMemcpyDeviceToHost);
  c.from_texels = from.data(), c.to_texels = to.data();
  kernel.host(kernel.seed, c, kernel.threads, expected.data());
  cudaDestroySurfaceObject(c.from), cudaDestroySurfaceObject(c.to);
  cudaFreeArray(from_array), cudaFreeArray(to_array), cudaFree(device);
  if (error) {
    printf("seed %u: %s\n", kernel.seed, cudaGetErrorString(error));
    return false;
  }
  for (int i = 0; i < count; ++i)
    if (out[i] != expected[i]) {
      printf("seed %u: thread %d, value %d: %#x, on the host %#x\n", kernel.seed, i / VALUES, i % VALUES, out[i], expected[i]);
      return false;
    }
  for (int i = 0; i < threads; ++i)
    if (found[i] != to[i]) {
      printf("seed %u: texel %d: %#x, on the host %#x\n", kernel.seed, i, found[i], to[i]);
      return false;
    }
  return true;
}
template <int count> static int run(const Kernel (&kernels)[count]) {
  int wrong = 0;
  for (const Kernel &kernel : kernels)
    wrong += !checked(kernel);
  printf("%d kernels, %d wrong\n", count, wrong);
  return wrong != 0;
}
