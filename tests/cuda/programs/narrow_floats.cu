// Arithmetic of half precision and bfloat16 against exact arithmetic of the host: results lie between the midpoints of neighbouring numbers.
// Argument: how many operands.
#include "check.h"
#include <cmath>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

typedef long double wide;

enum { ADD, SUB, MUL, DIV, FMA, SQRT, OPERATOR, RZ, RU, RD, FROM_INT, TO_INT, FROM_DOUBLE, COMPARE, RESULTS };

template <class T, class T2>
__device__ void results(T a, T b, T c, unsigned short *out, T (*from_int)(int), int (*to_int)(T)) {
  T2 two = __hfma2(T2(a, b), T2(b, a), T2(c, c));
  T sum = a;
  sum += b;
  T all[] = {__hadd(a, b), __hsub(a, b), __hmul(a, b), __hdiv(a, b), two.x, hsqrt(__habs(a)), -(sum - b * c)};
  for (int i = 0; i < 7; ++i)
    out[i] = all[i].__x;
  out[COMPARE] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | __hbgeu2(T2(a, a), T2(b, b)) << 5 |
                 (__hmax(a, b) == b) << 6 | __hisnan(a) << 7;
}

__global__ void half_results(const ushort4 *in, unsigned short *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half a = __ushort_as_half(in[i].x), b = __ushort_as_half(in[i].y), c = __ushort_as_half(in[i].z);
  unsigned short *o = out + RESULTS * i;
  results<__half, __half2>(a, b, c, o, nullptr, nullptr);
  float x = __uint_as_float(in[i].x << 16 | in[i].y);
  o[RZ] = __half_as_ushort(__float2half_rz(x));
  o[RU] = __half_as_ushort(__float2half_ru(x));
  o[RD] = __half_as_ushort(__float2half_rd(x));
  o[FROM_INT] = __half_as_ushort(__int2half_rn((int)in[i].x * (int)(in[i].y & 7) - 100000));
  o[TO_INT] = (unsigned short)__half2int_rn(a);
}

__global__ void bfloat16_results(const ushort4 *in, unsigned short *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat16 a = __ushort_as_bfloat16(in[i].x), b = __ushort_as_bfloat16(in[i].y), c = __ushort_as_bfloat16(in[i].z);
  unsigned short *o = out + RESULTS * i;
  results<__nv_bfloat16, __nv_bfloat162>(a, b, c, o, nullptr, nullptr);
  float x = __uint_as_float(in[i].x << 16 | in[i].y);
  o[RZ] = __bfloat16_as_ushort(__float2bfloat16_rz(x));
  o[RU] = __bfloat16_as_ushort(__float2bfloat16_ru(x));
  o[RD] = __bfloat16_as_ushort(__float2bfloat16_rd(x));
  o[FROM_INT] = __bfloat16_as_ushort(__int2bfloat16_rn((int)(in[i].x << 16 | in[i].y)));
  o[TO_INT] = (unsigned short)__bfloat162int_rz(a);
}

__global__ void between_threads(half *sums, half2 *pairs) {
  half mine = __float2half((float)threadIdx.x);
  half other = __shfl_xor_sync(0xffffffff, mine, 1);
  atomicAdd(&sums[threadIdx.x % 3], __float2half(1.0f));
  atomicAdd(&pairs[0], __halves2half2(other, __float2half(2.0f)));
}

// -- the host's own

struct Format {
  int significand, exponent, bias;
  unsigned infinity() const { return ((1u << exponent) - 1) << significand; }
  wide value(unsigned bits) const {
    unsigned low = bits & ((1u << significand) - 1), high = (bits & 0x7fff) >> significand;
    wide size = high == 0 ? ldexpl(low, 1 - bias - significand) : ldexpl((1u << significand) | low, (int)high - bias - significand);
    return bits & 0x8000 ? -size : size;
  }
  bool is_nan(unsigned bits) const { return (bits & 0x7fff) > infinity(); }
  bool is_infinite(unsigned bits) const { return (bits & 0x7fff) == infinity(); }
};

// The number nearest to a positive result, even on a tie. `above(mid)`: 1 if the result is above, 0 if it is there, -1.
template <class Above> unsigned nearest(const Format &format, Above above) {
  unsigned low = 0, high = format.infinity();
  while (low < high) {
    unsigned k = (low + high) / 2;
    int where = above((format.value(k) + format.value(k + 1)) / 2);
    if (where > 0 || (where == 0 && (k & 1)))
      low = k + 1;
    else
      high = k;
  }
  return low;
}
static int sign(wide x) { return (x > 0) - (x < 0); }
// A result that the host has exactly, as a sum of two numbers.
static unsigned rounded(const Format &format, wide x, wide rest = -0.0L) {
  wide sum = x + rest, of_rest = sum - x, lost = (x - (sum - of_rest)) + (rest - of_rest);
  bool minus = sum < 0 || (sum == 0 && __builtin_signbitl(sum));
  if (minus)
    sum = -sum, lost = -lost;
  return nearest(format, [&](wide mid) { return sum != mid ? sign(sum - mid) : sign(lost); }) | (minus ? 0x8000 : 0);
}

static long wrong = 0, tried = 0;
static void expect(const char *what, unsigned found, unsigned expected, const ushort4 &in) {
  ++tried;
  if (found != expected && ++wrong <= 20)
    printf("%s of %04x %04x %04x: %04x, not %04x\n", what, in.x, in.y, in.z, found, expected);
}

static void check(const Format &format, bool is_half, const ushort4 &in, const unsigned short *out) {
  wide a = format.value(in.x), b = format.value(in.y), c = format.value(in.z);
  bool finite = true;
  for (unsigned bits : {in.x, in.y, in.z})
    finite &= (bits & 0x7fffu) < format.infinity();
  const char *name = is_half ? "half" : "bfloat16";
  auto is = [&](int what, const char *operation, unsigned expected) {
    // Zeros of a sum have the sign of the rounding; products and quotients theirs.
    char text[64];
    snprintf(text, sizeof text, "%s %s", name, operation);
    expect(text, out[what], expected, in);
  };
  bool nan = format.is_nan(in.x) || format.is_nan(in.y);
  if (finite) {
    // Results of bfloat16 may be rounded to single precision first.
    auto single = [&](wide x) { return is_half ? x : (wide)(float)x; };
    is(ADD, "sum", rounded(format, single(a + b)));
    is(SUB, "difference", rounded(format, single(a - b)));
    is(MUL, "product", rounded(format, single(a * b)));
    if (b != 0 && is_half) {
      bool minus = (a < 0) != (b < 0);
      wide n = fabsl(a), d = fabsl(b);
      unsigned size = nearest(format, [&](wide mid) { return sign(n - mid * d); });
      is(DIV, "quotient", size | ((in.x ^ in.y) & 0x8000));
      (void)minus;
    } else if (b != 0) {
      is(DIV, "quotient", rounded(format, (wide)((float)a / (float)b)));
    }
    wide exact = is_half ? a * b : (wide)std::fmaf((float)a, (float)b, (float)c);
    is(FMA, "fma", is_half ? rounded(format, exact, c) : rounded(format, exact));
    wide n = fabsl(a);
    is(SQRT, "root", nearest(format, [&](wide mid) { return sign(n - mid * mid); }));
    unsigned sum = rounded(format, single(a + b)), product = rounded(format, single(b * c));
    if (sum < 0x8000 + format.infinity() && (sum & 0x7fff) < format.infinity() && (product & 0x7fff) < format.infinity())
      is(OPERATOR, "operators", rounded(format, single(format.value(sum) - format.value(product))) ^ 0x8000);
  }
  if (!format.is_infinite(in.x) && !format.is_infinite(in.y))
    is(COMPARE, "comparison", nan ? 8 | 32 | (unsigned)(!format.is_nan(in.y)) << 6 | format.is_nan(in.x) << 7
                                  : (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5 | (a <= b) << 6);
  float x;
  unsigned word = (unsigned)in.x << 16 | in.y;
  memcpy(&x, &word, 4);
  if (std::isfinite(x)) {
    unsigned near = rounded(format, x), size = near & 0x7fff, minus = near & 0x8000;
    // What of the numbers around it is the next one inwards, and outwards.
    wide at = size == format.infinity() ? (wide)INFINITY : fabsl(format.value(near)), is_at = fabsl((wide)x);
    unsigned inner = at > is_at ? size - 1 : size, outer = at < is_at ? size + 1 : size;
    is(RZ, "rounding to zero", inner | minus);
    is(RU, "rounding up", (x < 0 ? inner : outer) | minus);
    is(RD, "rounding down", (x < 0 ? outer : inner) | minus);
  }
  if (is_half)
    is(FROM_INT, "integer", rounded(format, (int)in.x * (int)(in.y & 7) - 100000));
  else
    is(FROM_INT, "integer", rounded(format, (int)word));
  if (finite && fabsl(a) < 2e9)
    is(TO_INT, "to an integer", (unsigned short)(is_half ? (int)nearbyintl(a) : (int)a));
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  const Format half_format = {10, 5, 15}, bfloat16_format = {7, 8, 127};
  std::vector<ushort4> in(n);
  uint64_t state = 12345;
  auto draw = [&] { return state = state * 6364136223846793005ull + 1442695040888963407ull, (unsigned)(state >> 33); };
  for (auto &of : in) {
    of.x = draw(), of.y = draw(), of.z = draw();
    // Often near each other, or at the ends.
    if (draw() % 4 == 0)
      of.y = of.x ^ (draw() & 0x83ff);
    if (draw() % 8 == 0)
      of.z = draw() & 0x83ff;
    if (draw() % 16 == 0)
      of.x = (of.x & 0x8000) | (draw() % 5 + 0x7bfd);
  }
  ushort4 *d_in;
  unsigned short *d_out;
  CHECK(cudaMalloc(&d_in, n * sizeof(ushort4)));
  CHECK(cudaMalloc(&d_out, n * RESULTS * 2));
  CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(ushort4), cudaMemcpyHostToDevice));
  std::vector<unsigned short> out(n * RESULTS);
  for (bool is_half : {true, false}) {
    if (is_half)
      half_results<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    else
      bfloat16_results<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * 2, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
      check(is_half ? half_format : bfloat16_format, is_half, in[i], &out[RESULTS * i]);
  }
  half *sums, host_sums[4];
  CHECK(cudaMalloc(&sums, 16));
  CHECK(cudaMemset(sums, 0, 16));
  between_threads<<<1, 32>>>(sums, (half2 *)sums + 2);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host_sums, sums, 8, cudaMemcpyDeviceToHost));
  half2 pair;
  CHECK(cudaMemcpy(&pair, (half2 *)sums + 2, 4, cudaMemcpyDeviceToHost));
  printf("sums %g %g %g, pair %g %g\n", __half2float(host_sums[0]), __half2float(host_sums[1]), __half2float(host_sums[2]), __low2float(pair), __high2float(pair));
  printf("%ld results, %ld wrong\n", tried, wrong);
  return wrong != 0;
}
