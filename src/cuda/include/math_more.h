// Functions of mathematics that programs seldom use, and half precision as a format of memory. Included by math_functions.h.
#ifndef WARPMESH_MATH_MORE_H
#define WARPMESH_MATH_MORE_H
#pragma GCC system_header

// -- parts of floats

#define WARPMESH_PARTS(type, suffix)                                                                          \
  WARPMESH_DEVICE type scalbn##suffix(type x, int n) { return ldexp##suffix(x, n); }                          \
  WARPMESH_DEVICE type scalbln##suffix(type x, long n) { return ldexp##suffix(x, (int)max(-5000L, min(n, 5000L))); } \
  WARPMESH_DEVICE int ilogb##suffix(type x) {                                                                 \
    int exponent;                                                                                             \
    frexp##suffix(x, &exponent);                                                                              \
    return x == 0 ? -2147483647 - 1 : isnan(x) ? -2147483647 - 1 : isinf(x) ? 2147483647 : exponent - 1;      \
  }                                                                                                           \
  WARPMESH_DEVICE type logb##suffix(type x) {                                                                 \
    return x == 0 ? -(type)WARPMESH_INF : isfinite(x) ? (type)ilogb##suffix(x) : fabs##suffix(x);             \
  }                                                                                                           \
  WARPMESH_DEVICE type rcbrt##suffix(type x) { return 1 / cbrt##suffix(x); }                                  \
  WARPMESH_DEVICE type rhypot##suffix(type x, type y) { return 1 / hypot##suffix(x, y); }                     \
  WARPMESH_DEVICE type norm3d##suffix(type x, type y, type z) { return hypot##suffix(hypot##suffix(x, y), z); } \
  WARPMESH_DEVICE type nan##suffix(const char *) { return (type)WARPMESH_NAN; }                               \
  WARPMESH_DEVICE long long llrint##suffix(type x) { return (long long)rint##suffix(x); }                     \
  WARPMESH_DEVICE long long llround##suffix(type x) { return (long long)round##suffix(x); }
WARPMESH_PARTS(float, f)
WARPMESH_PARTS(double, )
#undef WARPMESH_PARTS
WARPMESH_DEVICE long lrint(double x) { return (long)rint(x); }
WARPMESH_DEVICE long lround(double x) { return (long)round(x); }
WARPMESH_DEVICE double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? 0.0 : x - *whole, x);
}
WARPMESH_DEVICE double remainder(double x, double y) {
  double rest = fmod(x, 2 * y), t = fabs(rest), half = 0.5 * fabs(y);
  return t <= half ? rest : t >= 3 * half ? rest - copysign(2 * fabs(y), rest) : rest - copysign(fabs(y), rest);
}
WARPMESH_DEVICE float nextafterf(float from, float to) {
  int bits = __float_as_int(from);
  if (from != from || to != to)
    return from + to;
  if (from == to)
    return to;
  if (from == 0.0f)
    return __int_as_float(to > 0.0f ? 1 : (int)0x80000001);
  return __int_as_float((from < to) == (from > 0.0f) ? bits + 1 : bits - 1);
}
WARPMESH_DEVICE double nextafter(double from, double to) {
  long long bits = __double_as_longlong(from);
  if (from != from || to != to)
    return from + to;
  if (from == to)
    return to;
  if (from == 0.0)
    return __longlong_as_double(to > 0.0 ? 1 : (long long)0x8000000000000001ull);
  return __longlong_as_double((from < to) == (from > 0.0) ? bits + 1 : bits - 1);
}

// -- the gamma function: Stirling's series from 6 (or 16) on, below it by f(x) = f(x + 1) / x

WARPMESH_DEVICE float warpmesh_stirling(float x) { float r = 1 / x, z = r * r; return r * (1 / 12.0f - z * (1 / 360.0f - z * (1 / 1260.0f))); }
WARPMESH_DEVICE double warpmesh_stirling(double x) {
  double r = 1 / x, z = r * r;
  return r * (1 / 12.0 - z * (1 / 360.0 - z * (1 / 1260.0 - z * (1 / 1680.0 - z * (1 / 1188.0 - z * (691 / 360360.0 - z / 156.0))))));
}
template <class T> WARPMESH_DEVICE T warpmesh_gamma(T x, T least) {
  T below = 1;
  for (; x < least; x += 1)
    below *= x;
  T root = pow(x, (T)0.5 * x - (T)0.25);
  return root * (exp(warpmesh_stirling(x) - x) * (T)2.50662827463100050242) * root / below;
}
template <class T> WARPMESH_DEVICE T warpmesh_log_gamma(T x, T least) {
  T below = 1;
  for (; x < least; x += 1)
    below *= x;
  return (x - (T)0.5) * log(x) - x + (T)0.91893853320467274178 + warpmesh_stirling(x) - log(below);
}
#define WARPMESH_GAMMA(type, suffix, least, largest)                                                          \
  WARPMESH_DEVICE type tgamma##suffix(type x) {                                                               \
    if (x == 0)                                                                                               \
      return copysign##suffix((type)WARPMESH_INF, x);                                                         \
    if (x > 0)                                                                                                \
      return x > largest ? (type)WARPMESH_INF : warpmesh_gamma<type>(x, least);                               \
    if (x != x || x == floor##suffix(x))                                                                      \
      return (type)WARPMESH_NAN;                                                                              \
    type s = x * sinpi##suffix(x);                                                                            \
    return x < -largest ? copysign##suffix((type)0, -s) : -(type)3.14159265358979323846 / (s * warpmesh_gamma<type>(-x, least)); \
  }                                                                                                           \
  WARPMESH_DEVICE type lgamma##suffix(type x) {                                                               \
    if (x == 1 || x == 2)                                                                                     \
      return 0;                                                                                               \
    if (isinf(x) || (x <= 0 && x == floor##suffix(x)))                                                        \
      return (type)WARPMESH_INF;                                                                              \
    if (x > 0 || x != x)                                                                                      \
      return warpmesh_log_gamma<type>(x, least);                                                              \
    return log##suffix((type)3.14159265358979323846 / fabs##suffix(x * sinpi##suffix(x))) - warpmesh_log_gamma<type>(-x, least); \
  }
WARPMESH_DEVICE double sinpi(double x) { double r = x - 2 * rint(0.5 * x); return sin(3.14159265358979323846 * (fabs(r) > 0.5 ? copysign(1 - fabs(r), r) : r)); }
WARPMESH_DEVICE double cospi(double x) { double r = fabs(x - 2 * rint(0.5 * x)); return r < 0.25 ? cos(3.14159265358979323846 * r) : sin(3.14159265358979323846 * (0.5 - r)); }
WARPMESH_GAMMA(float, f, 6.0f, 35.1f)
WARPMESH_GAMMA(double, , 16.0, 171.7)
#undef WARPMESH_GAMMA

// -- the inverse of the error function: Giles 2010, "Approximating the erfinv function", of single precision

WARPMESH_DEVICE float erfinvf(float x) {
  float w = -logf((1.0f - x) * (1.0f + x)), p;
  if (fabsf(x) == 1.0f)
    return copysignf(WARPMESH_INF, x);
  if (w < 5.0f) {
    const float c[] = {3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f, -0.00125372503f, -0.00417768164f, 0.246640727f, 1.50140941f};
    w -= 2.5f;
    p = 2.81022636e-08f;
    for (float next : c)
      p = fmaf(p, w, next);
  } else {
    const float c[] = {0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f, -0.0076224613f, 0.00943887047f, 1.00167406f, 2.83297682f};
    w = sqrtf(w) - 3.0f;
    p = -0.000200214257f;
    for (float next : c)
      p = fmaf(p, w, next);
  }
  return p * x;
}
WARPMESH_DEVICE float erfcinvf(float x) { return erfinvf(1.0f - x); }
WARPMESH_DEVICE float normcdfinvf(float x) { return 1.41421356f * erfinvf(2.0f * x - 1.0f); }

// -- double precision to the nearest

WARPMESH_DEVICE double __dadd_rn(double a, double b) { double y; asm("add.rn.f64 %0, %1, %2;" : "=d"(y) : "d"(a), "d"(b)); return y; }
WARPMESH_DEVICE double __dsub_rn(double a, double b) { double y; asm("sub.rn.f64 %0, %1, %2;" : "=d"(y) : "d"(a), "d"(b)); return y; }
WARPMESH_DEVICE double __dmul_rn(double a, double b) { double y; asm("mul.rn.f64 %0, %1, %2;" : "=d"(y) : "d"(a), "d"(b)); return y; }
WARPMESH_DEVICE double __ddiv_rn(double a, double b) { double y; asm("div.rn.f64 %0, %1, %2;" : "=d"(y) : "d"(a), "d"(b)); return y; }
WARPMESH_DEVICE double __drcp_rn(double x) { double y; asm("rcp.rn.f64 %0, %1;" : "=d"(y) : "d"(x)); return y; }
WARPMESH_DEVICE double __dsqrt_rn(double x) { double y; asm("sqrt.rn.f64 %0, %1;" : "=d"(y) : "d"(x)); return y; }
WARPMESH_DEVICE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
WARPMESH_DEVICE double __ll2double_rn(long long x) { return (double)x; }
WARPMESH_DEVICE double __ull2double_rn(unsigned long long x) { return (double)x; }
WARPMESH_DEVICE float __ull2float_rn(unsigned long long x) { return (float)x; }

#endif
