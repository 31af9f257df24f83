// Mathematics in device code. There is no library to link: what the instructions do not compute is written out here, from the series and
// identities of the textbooks, with coefficients fitted for this purpose. Single precision is within 2 or 3 last places.
#ifndef WARPMESH_MATH_FUNCTIONS_H
#define WARPMESH_MATH_FUNCTIONS_H
#pragma GCC system_header

#include "device_functions.h"
#include "math_names.h"

#define WARPMESH_INF __builtin_inff()
#define WARPMESH_NAN __builtin_nanf("")

// -- single instructions

#define WARPMESH_F1(name, instruction) \
  WARPMESH_DEVICE float name(float x) { float y; asm(instruction " %0, %1;" : "=f"(y) : "f"(x)); return y; }
#define WARPMESH_F2(name, instruction) \
  WARPMESH_DEVICE float name(float a, float b) { float y; asm(instruction " %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b)); return y; }
WARPMESH_F1(sqrtf, "sqrt.rn.f32")
WARPMESH_F1(rintf, "cvt.rni.f32.f32")
WARPMESH_F1(__fsqrt_rn, "sqrt.rn.f32")
WARPMESH_F1(__frcp_rn, "rcp.rn.f32")
WARPMESH_F1(__frsqrt_rn, "rsqrt.approx.f32")
WARPMESH_F1(__sinf, "sin.approx.f32")
WARPMESH_F1(__cosf, "cos.approx.f32")
WARPMESH_F1(__log2f, "lg2.approx.f32")
WARPMESH_F1(warpmesh_exp2, "ex2.approx.f32")
WARPMESH_F2(__fdividef, "div.approx.f32")
WARPMESH_F2(__fdiv_rn, "div.rn.f32")
WARPMESH_F2(__fadd_rn, "add.rn.f32")
WARPMESH_F2(__fsub_rn, "sub.rn.f32")
WARPMESH_F2(__fmul_rn, "mul.rn.f32")
// Of a rounding toward zero, down or up: __fadd_rz and so on, doubles __dadd_rz.
#define WARPMESH_DIRECTED(suffix, rounding)                                                                                \
  WARPMESH_F1(__fsqrt_##suffix, "sqrt." rounding ".f32")                                                                   \
  WARPMESH_F1(__frcp_##suffix, "rcp." rounding ".f32")                                                                     \
  WARPMESH_F2(__fdiv_##suffix, "div." rounding ".f32")                                                                     \
  WARPMESH_F2(__fadd_##suffix, "add." rounding ".f32")                                                                     \
  WARPMESH_F2(__fsub_##suffix, "sub." rounding ".f32")                                                                     \
  WARPMESH_F2(__fmul_##suffix, "mul." rounding ".f32")                                                                     \
  WARPMESH_DEVICE float __fmaf_##suffix(float a, float b, float c) {                                                       \
    float y; asm("fma." rounding ".f32 %0, %1, %2, %3;" : "=f"(y) : "f"(a), "f"(b), "f"(c)); return y;                     \
  }                                                                                                                        \
  WARPMESH_D(double, (double a, double b), __dadd_##suffix, "add." rounding ".f64 %0, %1, %2;", "d"(a), "d"(b))            \
  WARPMESH_D(double, (double a, double b), __dsub_##suffix, "sub." rounding ".f64 %0, %1, %2;", "d"(a), "d"(b))            \
  WARPMESH_D(double, (double a, double b), __dmul_##suffix, "mul." rounding ".f64 %0, %1, %2;", "d"(a), "d"(b))            \
  WARPMESH_D(double, (double a, double b), __ddiv_##suffix, "div." rounding ".f64 %0, %1, %2;", "d"(a), "d"(b))            \
  WARPMESH_D(double, (double a), __drcp_##suffix, "rcp." rounding ".f64 %0, %1;", "d"(a))                                  \
  WARPMESH_D(double, (double a), __dsqrt_##suffix, "sqrt." rounding ".f64 %0, %1;", "d"(a))                                \
  WARPMESH_D(double, (double a, double b, double c), __fma_##suffix, "fma." rounding ".f64 %0, %1, %2, %3;", "d"(a), "d"(b), "d"(c)) \
  WARPMESH_D(double, (long long a), __ll2double_##suffix, "cvt." rounding ".f64.s64 %0, %1;", "l"(a))                      \
  WARPMESH_D(double, (unsigned long long a), __ull2double_##suffix, "cvt." rounding ".f64.u64 %0, %1;", "l"(a))            \
  WARPMESH_S((int a), __int2float_##suffix, "cvt." rounding ".f32.s32 %0, %1;", "r"(a))                                    \
  WARPMESH_S((unsigned a), __uint2float_##suffix, "cvt." rounding ".f32.u32 %0, %1;", "r"(a))                              \
  WARPMESH_S((long long a), __ll2float_##suffix, "cvt." rounding ".f32.s64 %0, %1;", "l"(a))                               \
  WARPMESH_S((unsigned long long a), __ull2float_##suffix, "cvt." rounding ".f32.u64 %0, %1;", "l"(a))                     \
  WARPMESH_S((double a), __double2float_##suffix, "cvt." rounding ".f32.f64 %0, %1;", "d"(a))
#define WARPMESH_D(type, parameters, name, instruction, ...) \
  WARPMESH_DEVICE type name parameters { type y; asm(instruction : "=d"(y) : __VA_ARGS__); return y; }
#define WARPMESH_S(parameters, name, instruction, ...) \
  WARPMESH_DEVICE float name parameters { float y; asm(instruction : "=f"(y) : __VA_ARGS__); return y; }
WARPMESH_DIRECTED(rz, "rz")
WARPMESH_DIRECTED(rd, "rm")
WARPMESH_DIRECTED(ru, "rp")
#undef WARPMESH_DIRECTED
#undef WARPMESH_D
#undef WARPMESH_S
#undef WARPMESH_F1
#undef WARPMESH_F2
WARPMESH_DEVICE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPMESH_DEVICE float __expf(float x) { return warpmesh_exp2(x * 1.44269504f); }
WARPMESH_DEVICE float __exp10f(float x) { return warpmesh_exp2(x * 3.32192809f); }
WARPMESH_DEVICE float __logf(float x) { return __log2f(x) * 0.693147181f; }
WARPMESH_DEVICE float __log10f(float x) { return __log2f(x) * 0.301029996f; }
WARPMESH_DEVICE float __powf(float x, float y) { return warpmesh_exp2(y * __log2f(x)); }
WARPMESH_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
WARPMESH_DEVICE void __sincosf(float x, float *s, float *c) { *s = __sinf(x); *c = __cosf(x); }
WARPMESH_DEVICE float __saturatef(float x) { float y; asm("cvt.sat.f32.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
WARPMESH_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPMESH_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
WARPMESH_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
WARPMESH_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
WARPMESH_DEVICE float floorf(float x) { return __builtin_floorf(x); }
WARPMESH_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
WARPMESH_DEVICE float truncf(float x) { return __builtin_truncf(x); }
WARPMESH_DEVICE float nearbyintf(float x) { return rintf(x); }
WARPMESH_DEVICE float copysignf(float x, float y) { return __uint_as_float((__float_as_uint(x) & 0x7fffffff) | (__float_as_uint(y) & 0x80000000)); }
WARPMESH_DEVICE float roundf(float x) {
  float whole = truncf(x);
  return fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : copysignf(whole, x);
}
WARPMESH_DEVICE float fdimf(float a, float b) { return a > b ? a - b : (a != a || b != b ? WARPMESH_NAN : 0.0f); }
WARPMESH_DEVICE long lrintf(float x) { return (long)rintf(x); }
WARPMESH_DEVICE long lroundf(float x) { return (long)roundf(x); }
WARPMESH_DEVICE bool isnan(float x) { return x != x; }
WARPMESH_DEVICE bool isnan(double x) { return x != x; }
WARPMESH_DEVICE bool isinf(float x) { return fabsf(x) == WARPMESH_INF; }
WARPMESH_DEVICE bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }
WARPMESH_DEVICE bool isfinite(float x) { return fabsf(x) < WARPMESH_INF; }
WARPMESH_DEVICE bool isfinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
WARPMESH_DEVICE bool signbit(float x) { return __float_as_int(x) < 0; }
WARPMESH_DEVICE bool signbit(double x) { return __double_as_longlong(x) < 0; }
WARPMESH_DEVICE int abs(int x) noexcept { return x < 0 ? -x : x; }
WARPMESH_DEVICE long labs(long x) noexcept { return x < 0 ? -x : x; }
WARPMESH_DEVICE long long llabs(long long x) noexcept { return x < 0 ? -x : x; }
WARPMESH_DEVICE long abs(long x) { return x < 0 ? -x : x; }
WARPMESH_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
WARPMESH_DEVICE float abs(float x) { return fabsf(x); }
WARPMESH_DEVICE double abs(double x) { return __builtin_fabs(x); }

// -- conversions with a rounding in their names

#define WARPMESH_CONVERT(name, to, to_letter, from, from_letter, instruction) \
  WARPMESH_DEVICE to name(from x) { to y; asm(instruction " %0, %1;" : "=" to_letter(y) : from_letter(x)); return y; }
#define WARPMESH_ROUNDINGS(each) each(rn, "rni") each(rz, "rzi") each(rd, "rmi") each(ru, "rpi")
#define WARPMESH_EACH(suffix, rounding)                                                                     \
  WARPMESH_CONVERT(__float2int_##suffix, int, "r", float, "f", "cvt." rounding ".s32.f32")                   \
  WARPMESH_CONVERT(__float2uint_##suffix, unsigned, "r", float, "f", "cvt." rounding ".u32.f32")             \
  WARPMESH_CONVERT(__float2ll_##suffix, long long, "l", float, "f", "cvt." rounding ".s64.f32")              \
  WARPMESH_CONVERT(__float2ull_##suffix, unsigned long long, "l", float, "f", "cvt." rounding ".u64.f32")    \
  WARPMESH_CONVERT(__double2int_##suffix, int, "r", double, "d", "cvt." rounding ".s32.f64")                 \
  WARPMESH_CONVERT(__double2uint_##suffix, unsigned, "r", double, "d", "cvt." rounding ".u32.f64")           \
  WARPMESH_CONVERT(__double2ll_##suffix, long long, "l", double, "d", "cvt." rounding ".s64.f64")
WARPMESH_ROUNDINGS(WARPMESH_EACH)
#undef WARPMESH_EACH
#undef WARPMESH_ROUNDINGS
#undef WARPMESH_CONVERT
WARPMESH_DEVICE float __int2float_rn(int x) { return (float)x; }
WARPMESH_DEVICE float __uint2float_rn(unsigned x) { return (float)x; }
WARPMESH_DEVICE float __ll2float_rn(long long x) { return (float)x; }
WARPMESH_DEVICE float __double2float_rn(double x) { return (float)x; }
WARPMESH_DEVICE double __int2double_rn(int x) { return (double)x; }
WARPMESH_DEVICE double __uint2double_rn(unsigned x) { return (double)x; }

// -- exponents: x = m 2^e

// 2^n for -126 <= n <= 127.
WARPMESH_DEVICE float warpmesh_power_of_2(int n) { return __int_as_float((n + 127) << 23); }
WARPMESH_DEVICE float ldexpf(float x, int n) {
  n = n < -300 ? -300 : n > 300 ? 300 : n;
  for (int i = 0; i < 2; ++i) {
    int step = n < -126 ? -126 : n > 127 ? 127 : n;
    x *= warpmesh_power_of_2(step);
    n -= step;
  }
  int last = n < -126 ? -126 : n > 127 ? 127 : n;
  return x * warpmesh_power_of_2(last);
}
// m from 1/2 to 1.
WARPMESH_DEVICE float frexpf(float x, int *exponent) {
  *exponent = 0;
  if (x == 0.0f || !isfinite(x))
    return x;
  int shift = 0;
  if (fabsf(x) < 1.17549435e-38f) {
    x *= 16777216.0f;
    shift = -24;
  }
  int bits = __float_as_int(x);
  *exponent = ((bits >> 23) & 255) - 126 + shift;
  return __int_as_float((bits & 0x807fffff) | 0x3f000000);
}
WARPMESH_DEVICE float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(isinf(x) ? 0.0f : x - *whole, x);
}

// -- exponential functions

// e^r - 1 for |r| <= ln 2 / 2: the series, fitted.
WARPMESH_DEVICE float warpmesh_expm1_core(float r) {
  float e = 1.989098839e-04f;
  e = fmaf(e, r, 1.393364786e-03f);
  e = fmaf(e, r, 8.333310928e-03f);
  e = fmaf(e, r, 4.166646494e-02f);
  e = fmaf(e, r, 1.666666668e-01f);
  e = fmaf(e, r, 5.000000013e-01f);
  return fmaf(e * r, r, r);
}
// e^(x + low): 2^n e^r.
WARPMESH_DEVICE float warpmesh_exp(float x, float low) {
  float n = rintf(x * 1.44269504f);
  n = fminf(fmaxf(n, -250.0f), 250.0f);
  float r = fmaf(n, -0.693359375f, x); // ln 2 with 9 bits: exact
  r = fmaf(n, 2.12194440e-4f, r) + low;
  float e = 1.0f + warpmesh_expm1_core(r);
  int k = (int)n, half = k >> 1;
  return e * warpmesh_power_of_2(half) * warpmesh_power_of_2(k - half);
}
WARPMESH_DEVICE float expf(float x) {
  if (x != x)
    return x;
  return x > 89.0f ? WARPMESH_INF : x < -104.0f ? 0.0f : warpmesh_exp(x, 0.0f);
}
WARPMESH_DEVICE float exp2f(float x) {
  float n = rintf(fminf(fmaxf(x, -160.0f), 160.0f));
  if (x != x)
    return x;
  float y = x > 129.0f ? WARPMESH_INF : x < -151.0f ? 0.0f : 1.0f + warpmesh_expm1_core((x - n) * 0.693147181f);
  int k = (int)n, half = k >> 1;
  return y * warpmesh_power_of_2(half) * warpmesh_power_of_2(k - half);
}
WARPMESH_DEVICE float exp10f(float x) {
  float high = x * 2.30258509f;
  float low = fmaf(x, 2.30258509f, -high) + x * -3.19754367e-8f;
  if (x != x)
    return x;
  return high > 89.0f ? WARPMESH_INF : high < -104.0f ? 0.0f : warpmesh_exp(high, low);
}
WARPMESH_DEVICE float expm1f(float x) {
  return fabsf(x) < 0.34657359f ? (x == 0.0f ? x : warpmesh_expm1_core(x)) : expf(x) - 1.0f;
}

// -- logarithms

// ln(1 + f) for 1/sqrt 2 <= 1 + f <= sqrt 2, without its first term.
WARPMESH_DEVICE float warpmesh_log_rest(float f) {
  float l = 6.971611443e-02f;
  l = fmaf(l, f, -1.147973381e-01f);
  l = fmaf(l, f, 1.168541992e-01f);
  l = fmaf(l, f, -1.242568734e-01f);
  l = fmaf(l, f, 1.424905765e-01f);
  l = fmaf(l, f, -1.666780232e-01f);
  l = fmaf(l, f, 2.000071575e-01f);
  l = fmaf(l, f, -2.499999696e-01f);
  l = fmaf(l, f, 3.333333118e-01f);
  return f * f * fmaf(l, f, -0.5f);
}
// x = (1 + f) 2^e with 1 + f next to 1.
WARPMESH_DEVICE float warpmesh_split(float x, float *e) {
  int exponent;
  float m = frexpf(x, &exponent);
  if (m < 0.707106781f) {
    m += m;
    --exponent;
  }
  *e = (float)exponent;
  return m - 1.0f;
}
WARPMESH_DEVICE float logf(float x) {
  if (!(x > 0.0f) || x == WARPMESH_INF)
    return x == 0.0f ? -WARPMESH_INF : x < 0.0f ? WARPMESH_NAN : x;
  float e, f = warpmesh_split(x, &e);
  float rest = fmaf(e, -2.12194440e-4f, warpmesh_log_rest(f));
  return fmaf(e, 0.693359375f, f + rest);
}
WARPMESH_DEVICE float warpmesh_log_by(float x, float high, float low, float of_2_high, float of_2_low) {
  if (!(x > 0.0f) || x == WARPMESH_INF)
    return x == 0.0f ? -WARPMESH_INF : x < 0.0f ? WARPMESH_NAN : x;
  float e, f = warpmesh_split(x, &e);
  float rest = warpmesh_log_rest(f);
  float sum = fmaf(rest, high, fmaf(f, low, e * of_2_low));
  return fmaf(e, of_2_high, fmaf(f, high, sum));
}
WARPMESH_DEVICE float log2f(float x) { return warpmesh_log_by(x, 1.44269504f, 1.92596299e-8f, 1.0f, 0.0f); }
WARPMESH_DEVICE float log10f(float x) { return warpmesh_log_by(x, 0.434294492f, -1.01030501e-8f, 0.301025391f, 4.60503907e-6f); }
WARPMESH_DEVICE float log1pf(float x) {
  if (x > -0.29f && x < 0.41f)
    return x == 0.0f ? x : x + warpmesh_log_rest(x);
  float sum = 1.0f + x;
  return logf(sum) + (isfinite(sum) && sum > 0.0f ? ((x > 1.0f ? 1.0f - (sum - x) : x - (sum - 1.0f))) / sum : 0.0f);
}

// -- powers

// |x|^y: the logarithm by 2 artanh(f / (2 + f)) in two parts, so that its error does not grow with the exponent.
WARPMESH_DEVICE float warpmesh_pow(float x, float y) {
  float e, f = warpmesh_split(x, &e);
  float d = 2.0f + f, d_low = f - (d - 2.0f);
  float s = f / d;
  float s_low = (fmaf(-s, d, f) - s * d_low) / d;
  float z = s * s;
  float p = fmaf(z, fmaf(z, 1.0f / 15.0f, 1.0f / 13.0f), 1.0f / 11.0f);
  p = fmaf(p, z, 1.0f / 9.0f);
  p = fmaf(p, z, 1.0f / 7.0f);
  p = fmaf(p, z, 0.2f);
  p = fmaf(p, z, 0.333333333f);
  float rest = fmaf(p * z, s, s_low);
  // log2 = e + 2 log2(e) (s + rest), its parts from the largest to the smallest
  float a = s * 2.88539008f;
  float a_low = fmaf(s, 2.88539008f, -a) + fmaf(s, 3.85192598e-8f, rest * 2.88539008f);
  float sum = e + a, back = sum - e;
  float high = sum, low = (e - (sum - back)) + (a - back) + a_low;
  float whole = high + low;
  low = low - (whole - high);
  high = whole;
  float product = high * y;
  if (product > 130.0f)
    return WARPMESH_INF;
  if (product < -160.0f)
    return 0.0f;
  float product_low = fmaf(high, y, -product) + low * y;
  float n = rintf(product);
  float r = (product - n) + product_low;
  float power = 1.0f + warpmesh_expm1_core(r * 0.693147181f);
  int k = (int)n, half = k >> 1;
  return power * warpmesh_power_of_2(half) * warpmesh_power_of_2(k - half);
}
WARPMESH_DEVICE float powf(float x, float y) {
  if (y == 0.0f || x == 1.0f)
    return 1.0f;
  if (x != x || y != y)
    return WARPMESH_NAN;
  bool whole = truncf(y) == y, odd = whole && fabsf(y) < 16777216.0f && ((int)y & 1);
  float size = fabsf(x);
  if (isinf(y))
    return size == 1.0f ? 1.0f : (size > 1.0f) == (y > 0.0f) ? WARPMESH_INF : 0.0f;
  if (size == 0.0f || isinf(x)) {
    float result = (size == 0.0f) == (y < 0.0f) ? WARPMESH_INF : 0.0f;
    return odd ? copysignf(result, x) : result;
  }
  if (x < 0.0f && !whole)
    return WARPMESH_NAN;
  float result = warpmesh_pow(size, y);
  return x < 0.0f && odd ? -result : result;
}
WARPMESH_DEVICE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
WARPMESH_DEVICE float cbrtf(float x) {
  if (x == 0.0f || !isfinite(x))
    return x;
  float size = fabsf(x), root = warpmesh_pow(size, 0.333333333f);
  root -= (root - size / (root * root)) * 0.333333333f;
  return copysignf(root, x);
}
WARPMESH_DEVICE float hypotf(float x, float y) {
  float a = fmaxf(fabsf(x), fabsf(y)), b = fminf(fabsf(x), fabsf(y));
  if (isinf(x) || isinf(y))
    return WARPMESH_INF;
  if (a == 0.0f || x != x || y != y)
    return x + y;
  int exponent;
  frexpf(a, &exponent);
  a = ldexpf(a, -exponent);
  b = ldexpf(b, -exponent);
  return ldexpf(sqrtf(fmaf(a, a, b * b)), exponent);
}
// Exact: one bit of the quotient after the other.
WARPMESH_DEVICE float fmodf(float x, float y) {
  if (x != x || y != y || isinf(x) || y == 0.0f)
    return WARPMESH_NAN;
  float rest = fabsf(x), by = fabsf(y);
  if (rest < by)
    return x;
  int of_rest, of_by;
  frexpf(rest, &of_rest);
  frexpf(by, &of_by);
  for (int shift = of_rest - of_by; shift >= 0; --shift) {
    float part = ldexpf(by, shift);
    if (rest >= part)
      rest -= part;
  }
  return copysignf(rest, x);
}
WARPMESH_DEVICE float remainderf(float x, float y) {
  float by = fabsf(y), rest = fabsf(fmodf(x, y + y));
  if (isinf(y) && isfinite(x))
    return x;
  if (by + by == WARPMESH_INF)
    rest = fabsf(fmodf(x, y));
  if (rest + rest > by) {
    rest -= by;
    if (rest + rest >= by)
      rest -= by;
  }
  return (x < 0.0f) ? -rest : rest;
}

// -- angles

WARPMESH_DEVICE float warpmesh_sin_core(float r) {
  float z = r * r, s = 2.724686852e-06f;
  s = fmaf(s, z, -1.984006304e-04f);
  s = fmaf(s, z, 8.333331831e-03f);
  s = fmaf(s, z, -1.666666666e-01f);
  return fmaf(s * z, r, r);
}
WARPMESH_DEVICE float warpmesh_cos_core(float r) {
  float z = r * r, c = -2.729820780e-07f;
  c = fmaf(c, z, 2.480057817e-05f);
  c = fmaf(c, z, -1.388888763e-03f);
  c = fmaf(c, z, 4.166666666e-02f);
  return fmaf(c * z, z, fmaf(z, -0.5f, 1.0f));
}
// The rest of x by pi / 2, and the quotient modulo 4; of a large one with as many bits of 2 / pi as it takes (Payne and Hanek 1983).
WARPMESH_DEVICE float warpmesh_reduce(float x, int *quadrant) {
  if (fabsf(x) < 48000.0f) {
    float n = rintf(x * 0.636619772f);
    *quadrant = (int)n;
    float r = fmaf(n, -1.57079601f, x);
    r = fmaf(n, -3.13916473e-7f, r);
    return fmaf(n, -5.39030295e-15f, r);
  }
  // 2 / pi, 32 bits a word, behind the point.
  const unsigned bits[8] = {0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  unsigned word = __float_as_uint(x);
  int exponent = (int)((word >> 23) & 255) - 127 - 23; // x = m 2^exponent
  unsigned long long m = (word & 0x7fffff) | 0x800000;
  // Bits of 2 / pi further to the left give multiples of 4 in the product.
  int from = 32 + exponent - 2, at = from >> 5, shift = from & 31;
  unsigned w[3];
  for (int i = 0; i < 3; ++i)
    w[i] = shift == 0 ? bits[at + i] : bits[at + i] << shift | bits[at + i + 1] >> (32 - shift);
  // The product with 2 bits before the point, modulo 4.
  unsigned long long product = (m * w[0] << 32) + m * w[1] + (m * w[2] >> 32);
  unsigned long long fraction = product << 2;
  int quotient = (int)(product >> 62) + (int)(fraction >> 63);
  bool minus = word >> 31;
  float part = (float)(long long)fraction * 5.42101086e-20f; // 2^-64, from -1/2 to 1/2
  *quadrant = minus ? -quotient : quotient;
  float r = part * 1.57079633f;
  return minus ? -r : r;
}
WARPMESH_DEVICE float sinf(float x) {
  if (!isfinite(x))
    return WARPMESH_NAN;
  int q;
  float r = warpmesh_reduce(x, &q);
  float y = q & 1 ? warpmesh_cos_core(r) : warpmesh_sin_core(r);
  return x == 0.0f ? x : q & 2 ? -y : y;
}
WARPMESH_DEVICE float cosf(float x) {
  if (!isfinite(x))
    return WARPMESH_NAN;
  int q;
  float r = warpmesh_reduce(x, &q);
  float y = q & 1 ? warpmesh_sin_core(r) : warpmesh_cos_core(r);
  return (q + 1) & 2 ? -y : y;
}
WARPMESH_DEVICE void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
WARPMESH_DEVICE float sinpif(float x) { float r = fmodf(x, 2.0f); return sinf(r * 3.14159265f); }
WARPMESH_DEVICE float cospif(float x) { float r = fmodf(x, 2.0f); return cosf(r * 3.14159265f); }
WARPMESH_DEVICE float tanf(float x) {
  if (!isfinite(x))
    return WARPMESH_NAN;
  int q;
  float r = warpmesh_reduce(x, &q), s = warpmesh_sin_core(r), c = warpmesh_cos_core(r);
  return x == 0.0f ? x : q & 1 ? -c / s : s / c;
}
// arctan t for 0 <= t <= 1.
WARPMESH_DEVICE float warpmesh_atan_core(float t) {
  bool turned = t > 0.414213562f;
  float u = turned ? (t - 1.0f) / (t + 1.0f) : t;
  float z = u * u, a = -6.431038687e-02f;
  a = fmaf(a, z, 1.073739696e-01f);
  a = fmaf(a, z, -1.426336658e-01f);
  a = fmaf(a, z, 1.999952340e-01f);
  a = fmaf(a, z, -3.333333169e-01f);
  float y = fmaf(a * z, u, u);
  return turned ? 0.785398163f + y : y;
}
WARPMESH_DEVICE float atanf(float x) {
  float t = fabsf(x), y = t > 1.0f ? 1.57079633f - warpmesh_atan_core(1.0f / t) : warpmesh_atan_core(t);
  return x != x ? x : copysignf(y, x);
}
WARPMESH_DEVICE float atan2f(float y, float x) {
  if (x != x || y != y)
    return WARPMESH_NAN;
  float a = fabsf(x), b = fabsf(y), large = fmaxf(a, b), small = fminf(a, b);
  float t = large == 0.0f ? 0.0f : isinf(small) ? 1.0f : small / large;
  float angle = warpmesh_atan_core(t);
  if (b > a)
    angle = 1.57079633f - angle;
  if (signbit(x))
    angle = 3.14159265f - angle;
  return copysignf(angle, y);
}
// arcsin t for 0 <= t <= 1/2.
WARPMESH_DEVICE float warpmesh_asin_core(float t) {
  float z = t * t, a = 3.369084731e-02f;
  a = fmaf(a, z, 1.714923827e-02f);
  a = fmaf(a, z, 3.110066276e-02f);
  a = fmaf(a, z, 4.459940152e-02f);
  a = fmaf(a, z, 7.500094544e-02f);
  a = fmaf(a, z, 1.666666634e-01f);
  return fmaf(a * z, t, t);
}
WARPMESH_DEVICE float asinf(float x) {
  float t = fabsf(x);
  if (!(t <= 1.0f))
    return WARPMESH_NAN;
  float y = t <= 0.5f ? warpmesh_asin_core(t) : 1.57079633f - 2.0f * warpmesh_asin_core(sqrtf(0.5f - 0.5f * t));
  return copysignf(y, x);
}
WARPMESH_DEVICE float acosf(float x) {
  float t = fabsf(x);
  if (!(t <= 1.0f))
    return WARPMESH_NAN;
  if (t <= 0.5f)
    return 1.57079633f - (x < 0.0f ? -warpmesh_asin_core(t) : warpmesh_asin_core(t));
  float y = 2.0f * warpmesh_asin_core(sqrtf(0.5f - 0.5f * t));
  return x < 0.0f ? 3.14159265f - y : y;
}

// -- hyperbolic functions

// e^t / 2, also where e^t is too large.
WARPMESH_DEVICE float warpmesh_half_exp(float t) {
  float root = expf(0.5f * t);
  return t < 88.0f ? 0.5f * expf(t) : 0.5f * root * root;
}
WARPMESH_DEVICE float sinhf(float x) {
  float t = fabsf(x), y;
  if (t < 0.34657359f) {
    float m = warpmesh_expm1_core(t);
    y = 0.5f * (m + m / (1.0f + m));
  } else {
    float half = warpmesh_half_exp(t);
    y = half - 0.25f / half;
  }
  return x == 0.0f ? x : copysignf(y, x);
}
WARPMESH_DEVICE float coshf(float x) {
  float half = warpmesh_half_exp(fabsf(x));
  return half + 0.25f / half;
}
WARPMESH_DEVICE float tanhf(float x) {
  float t = fabsf(x), y;
  if (t < 0.34657359f) {
    float m = warpmesh_expm1_core(t), n = fmaf(m, m, 2.0f * m); // e^2t - 1
    y = n / (n + 2.0f);
  } else {
    y = t > 10.0f ? 1.0f : 1.0f - 2.0f / (expf(2.0f * t) + 1.0f);
  }
  return x == 0.0f || x != x ? x : copysignf(y, x);
}
WARPMESH_DEVICE float asinhf(float x) {
  float t = fabsf(x), y = t > 1e18f ? logf(t) + 0.693147181f : log1pf(t + t * t / (1.0f + sqrtf(fmaf(t, t, 1.0f))));
  return x == 0.0f ? x : copysignf(y, x);
}
WARPMESH_DEVICE float acoshf(float x) { return x > 1e18f ? logf(x) + 0.693147181f : log1pf((x - 1.0f) + sqrtf((x - 1.0f) * (x + 1.0f))); }
WARPMESH_DEVICE float atanhf(float x) { float t = fabsf(x); return copysignf(0.5f * log1pf(2.0f * t / (1.0f - t)), x); }

// -- the error function: a series near 0, a continued fraction far out

WARPMESH_DEVICE float warpmesh_erfc_far(float t) {
  float below = t;
  for (int k = t < 2.0f ? 120 : 30; k > 0; --k)
    below = t + 0.5f * (float)k / below;
  float square = t * t, low = fmaf(t, t, -square);
  return expf(-square) * (1.0f - low) * 0.564189584f / below;
}
WARPMESH_DEVICE float warpmesh_erf_near(float x) {
  float z = x * x, term = x, sum = x;
  for (int k = 1; k < 40; ++k) {
    term *= 2.0f * z / (float)(2 * k + 1);
    sum += term;
  }
  return 1.12837917f * sum * expf(-z);
}
WARPMESH_DEVICE float erff(float x) {
  float t = fabsf(x);
  if (x != x || x == 0.0f)
    return x;
  return copysignf(t < 2.0f ? warpmesh_erf_near(t) : t > 4.0f ? 1.0f : 1.0f - warpmesh_erfc_far(t), x);
}
WARPMESH_DEVICE float erfcf(float x) {
  if (x != x)
    return x;
  if (x < 1.0f)
    return x < -4.0f ? 2.0f : 1.0f - erff(x);
  return x > 10.1f ? 0.0f : warpmesh_erfc_far(x);
}
WARPMESH_DEVICE float normcdff(float x) { return 0.5f * erfcf(-0.707106781f * x); }

#include "math_double.h"

// -- the same names for both types

#define WARPMESH_DEFINE(name) WARPMESH_DEVICE float name(float x) { return name##f(x); }
WARPMESH_UNARY(WARPMESH_DEFINE)
#undef WARPMESH_DEFINE
#define WARPMESH_DEFINE(name) WARPMESH_DEVICE float name(float a, float b) { return name##f(a, b); }
WARPMESH_BINARY(WARPMESH_DEFINE)
#undef WARPMESH_DEFINE
WARPMESH_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
WARPMESH_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
WARPMESH_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
WARPMESH_DEVICE float rsqrt(float x) { return rsqrtf(x); }

// What CUDA C has on the host, too.
#define WARPMESH_EXTREMES(type)                                                                    \
  WARPMESH_BOTH type min(type a, type b) { return b < a ? b : a; }                                 \
  WARPMESH_BOTH type max(type a, type b) { return a < b ? b : a; }
WARPMESH_EXTREMES(int)
WARPMESH_EXTREMES(unsigned int)
WARPMESH_EXTREMES(long)
WARPMESH_EXTREMES(unsigned long)
WARPMESH_EXTREMES(long long)
WARPMESH_EXTREMES(unsigned long long)
#undef WARPMESH_EXTREMES
// Of a signed and an unsigned integer, the unsigned type; of float and double, double.
#define WARPMESH_MIXED(signed_type, unsigned_type)                                                                           \
  WARPMESH_BOTH unsigned_type min(signed_type a, unsigned_type b) { return min((unsigned_type)a, b); }                       \
  WARPMESH_BOTH unsigned_type min(unsigned_type a, signed_type b) { return min(a, (unsigned_type)b); }                       \
  WARPMESH_BOTH unsigned_type max(signed_type a, unsigned_type b) { return max((unsigned_type)a, b); }                       \
  WARPMESH_BOTH unsigned_type max(unsigned_type a, signed_type b) { return max(a, (unsigned_type)b); }
WARPMESH_MIXED(int, unsigned int)
WARPMESH_MIXED(long, unsigned long)
WARPMESH_MIXED(long long, unsigned long long)
#undef WARPMESH_MIXED
WARPMESH_DEVICE float min(float a, float b) { return fminf(a, b); }
WARPMESH_DEVICE float max(float a, float b) { return fmaxf(a, b); }
WARPMESH_DEVICE double min(double a, double b) { return fmin(a, b); }
WARPMESH_DEVICE double max(double a, double b) { return fmax(a, b); }
WARPMESH_DEVICE double min(float a, double b) { return fmin((double)a, b); }
WARPMESH_DEVICE double min(double a, float b) { return fmin(a, (double)b); }
WARPMESH_DEVICE double max(float a, double b) { return fmax((double)a, b); }
WARPMESH_DEVICE double max(double a, float b) { return fmax(a, (double)b); }
WARPMESH_BOTH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
WARPMESH_BOTH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
WARPMESH_BOTH long long llmin(long long a, long long b) { return min(a, b); }
WARPMESH_BOTH long long llmax(long long a, long long b) { return max(a, b); }
WARPMESH_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
WARPMESH_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
static inline __attribute__((host)) float min(float a, float b) { return __builtin_fminf(a, b); }
static inline __attribute__((host)) float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline __attribute__((host)) double min(double a, double b) { return __builtin_fmin(a, b); }
static inline __attribute__((host)) double max(double a, double b) { return __builtin_fmax(a, b); }
static inline __attribute__((host)) double min(float a, double b) { return __builtin_fmin(a, b); }
static inline __attribute__((host)) double min(double a, float b) { return __builtin_fmin(a, b); }
static inline __attribute__((host)) double max(float a, double b) { return __builtin_fmax(a, b); }
static inline __attribute__((host)) double max(double a, float b) { return __builtin_fmax(a, b); }
static inline __attribute__((host)) float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static inline __attribute__((host)) double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }

#include "math_more.h"

#undef WARPMESH_INF
#undef WARPMESH_NAN

#endif
