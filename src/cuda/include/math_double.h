// Double precision in device code, of math_functions.h.
#ifndef WARPMESH_MATH_DOUBLE_H
#define WARPMESH_MATH_DOUBLE_H
#pragma GCC system_header

WARPMESH_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WARPMESH_DEVICE double fabs(double x) { return __builtin_fabs(x); }
WARPMESH_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
WARPMESH_DEVICE double fmin(double a, double b) { return a != a || b < a ? b : a; }
WARPMESH_DEVICE double fmax(double a, double b) { return a != a || b > a ? b : a; }
WARPMESH_DEVICE double copysign(double x, double y) {
  return __longlong_as_double((__double_as_longlong(x) & 0x7fffffffffffffffll) | (__double_as_longlong(y) & (long long)0x8000000000000000ull));
}
WARPMESH_DEVICE double trunc(double x) {
  double whole = fabs(x) < 4503599627370496.0 ? (double)(long long)x : x;
  return copysign(whole, x);
}
WARPMESH_DEVICE double floor(double x) { double whole = trunc(x); return whole > x ? whole - 1.0 : whole; }
WARPMESH_DEVICE double ceil(double x) { double whole = trunc(x); return whole < x ? copysign(whole + 1.0, x) : whole; }
WARPMESH_DEVICE double rint(double x) {
  double shift = copysign(4503599627370496.0, x);
  return fabs(x) < 4503599627370496.0 ? copysign((x + shift) - shift, x) : x;
}
WARPMESH_DEVICE double nearbyint(double x) { return rint(x); }
WARPMESH_DEVICE double round(double x) { double whole = trunc(x); return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole; }
WARPMESH_DEVICE double fdim(double a, double b) { return a > b ? a - b : (a != a || b != b ? __builtin_nan("") : 0.0); }
WARPMESH_DEVICE double rsqrt(double x) { return 1.0 / sqrt(x); }

WARPMESH_DEVICE double warpmesh_double_power_of_2(int n) { return __longlong_as_double((long long)(n + 1023) << 52); }
WARPMESH_DEVICE double ldexp(double x, int n) {
  n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
  for (int i = 0; i < 3; ++i) {
    int step = n < -1000 ? -1000 : n > 1000 ? 1000 : n;
    x *= warpmesh_double_power_of_2(step);
    n -= step;
  }
  return x;
}
WARPMESH_DEVICE double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0.0 || !isfinite(x))
    return x;
  int shift = 0;
  if (fabs(x) < 2.2250738585072014e-308) {
    x *= 18014398509481984.0;
    shift = -54;
  }
  long long bits = __double_as_longlong(x);
  *exponent = (int)((bits >> 52) & 2047) - 1022 + shift;
  return __longlong_as_double((bits & (long long)0x800fffffffffffffull) | 0x3fe0000000000000ll);
}

// e^r - 1 for |r| <= ln 2 / 2: the series.
WARPMESH_DEVICE double warpmesh_expm1_core(double r) {
  double e = 0.0;
  for (int k = 14; k > 1; --k)
    e = fma(e, r, 1.0) / (double)k;
  return fma(e * r, r, r);
}
WARPMESH_DEVICE double warpmesh_exp(double x, double low) {
  double n = rint(x * 1.4426950408889634);
  double r = fma(n, -0.69314718036912382, x);
  r = fma(n, -1.9082149292705877e-10, r) + low;
  return ldexp(1.0 + warpmesh_expm1_core(r), (int)n);
}
WARPMESH_DEVICE double exp(double x) { return x != x ? x : x > 710.0 ? __builtin_inf() : x < -746.0 ? 0.0 : warpmesh_exp(x, 0.0); }
WARPMESH_DEVICE double exp2(double x) {
  double n = rint(fmin(fmax(x, -1100.0), 1100.0));
  return x != x ? x : x > 1025.0 ? __builtin_inf() : x < -1076.0 ? 0.0 : ldexp(1.0 + warpmesh_expm1_core((x - n) * 0.6931471805599453), (int)n);
}
WARPMESH_DEVICE double exp10(double x) {
  double high = x * 2.302585092994046, low = fma(x, 2.302585092994046, -high) + x * -2.1707562233822494e-16;
  return x != x ? x : high > 710.0 ? __builtin_inf() : high < -746.0 ? 0.0 : warpmesh_exp(high, low);
}
WARPMESH_DEVICE double expm1(double x) { return fabs(x) < 0.34657359027997264 ? (x == 0.0 ? x : warpmesh_expm1_core(x)) : exp(x) - 1.0; }

// ln x as e ln 2 + 2 artanh s, in two parts.
WARPMESH_DEVICE double warpmesh_log_parts(double x, double *low) {
  int exponent;
  double m = frexp(x, &exponent);
  if (m < 0.7071067811865476) {
    m += m;
    --exponent;
  }
  double f = m - 1.0, d = 2.0 + f, d_low = f - (d - 2.0), s = f / d, s_low = (fma(-s, d, f) - s * d_low) / d;
  double z = s * s, p = 0.0, e = (double)exponent;
  for (int k = 25; k > 1; k -= 2)
    p = fma(p, z, 1.0 / (double)k);
  double rest = 2.0 * fma(p * z, s, s_low);
  double big = e * 0.69314718036912382, sum = big + 2.0 * s, back = sum - big;
  double small = (big - (sum - back)) + (2.0 * s - back) + fma(e, 1.9082149292705877e-10, rest);
  double high = sum + small;
  *low = small - (high - sum);
  return high;
}
WARPMESH_DEVICE double warpmesh_log_by(double x, double factor, double factor_low) {
  if (!(x > 0.0) || x == __builtin_inf())
    return x == 0.0 ? -__builtin_inf() : x < 0.0 ? __builtin_nan("") : x;
  double low, high = warpmesh_log_parts(x, &low);
  return fma(high, factor, fma(high, factor_low, low * factor));
}
WARPMESH_DEVICE double log(double x) { return warpmesh_log_by(x, 1.0, 0.0); }
WARPMESH_DEVICE double log2(double x) { return warpmesh_log_by(x, 1.4426950408889634, 2.0355273740931033e-17); }
WARPMESH_DEVICE double log10(double x) { return warpmesh_log_by(x, 0.4342944819032518, 1.098319650216765e-17); }
WARPMESH_DEVICE double log1p(double x) {
  double sum = 1.0 + x;
  if (!(sum > 0.0) || isinf(sum))
    return log(sum);
  return x == 0.0 ? x : log(sum) + (x > 1.0 ? 1.0 - (sum - x) : x - (sum - 1.0)) / sum;
}
WARPMESH_DEVICE double pow(double x, double y) {
  if (y == 0.0 || x == 1.0)
    return 1.0;
  if (x != x || y != y)
    return __builtin_nan("");
  bool whole = trunc(y) == y, odd = whole && fabs(y) < 9007199254740992.0 && ((long long)y & 1);
  double size = fabs(x);
  if (isinf(y))
    return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? __builtin_inf() : 0.0;
  if (size == 0.0 || isinf(x)) {
    double result = (size == 0.0) == (y < 0.0) ? __builtin_inf() : 0.0;
    return odd ? copysign(result, x) : result;
  }
  if (x < 0.0 && !whole)
    return __builtin_nan("");
  double low, high = warpmesh_log_parts(size, &low), product = high * y;
  double result = product > 710.0 ? __builtin_inf() : product < -746.0 ? 0.0 : warpmesh_exp(product, fma(high, y, -product) + low * y);
  return x < 0.0 && odd ? -result : result;
}
WARPMESH_DEVICE double cbrt(double x) {
  if (x == 0.0 || !isfinite(x))
    return x;
  double size = fabs(x), root = pow(size, 0.3333333333333333);
  root -= (root - size / (root * root)) / 3.0;
  return copysign(root, x);
}
WARPMESH_DEVICE double hypot(double x, double y) {
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  if (isinf(x) || isinf(y))
    return __builtin_inf();
  if (a == 0.0 || x != x || y != y)
    return x + y;
  int exponent;
  frexp(a, &exponent);
  a = ldexp(a, -exponent);
  b = ldexp(b, -exponent);
  return ldexp(sqrt(fma(a, a, b * b)), exponent);
}
WARPMESH_DEVICE double fmod(double x, double y) {
  if (x != x || y != y || isinf(x) || y == 0.0)
    return __builtin_nan("");
  double rest = fabs(x), by = fabs(y);
  int of_rest, of_by;
  frexp(rest, &of_rest);
  frexp(by, &of_by);
  for (int shift = of_rest - of_by; shift >= 0; --shift) {
    double part = ldexp(by, shift);
    if (rest >= part)
      rest -= part;
  }
  return copysign(rest, x);
}

WARPMESH_DEVICE double warpmesh_sin_core(double r) {
  double z = r * r, s = 0.0;
  for (int k = 19; k > 1; k -= 2)
    s = (1.0 - s * z) / (double)(k * (k - 1));
  return fma(-s * z, r, r);
}
WARPMESH_DEVICE double warpmesh_cos_core(double r) {
  double z = r * r, c = 0.0;
  for (int k = 20; k > 2; k -= 2)
    c = (1.0 - c * z) / (double)(k * (k - 1));
  return 1.0 - 0.5 * z * (1.0 - c * z);
}
// The rest of x by pi / 2 in four parts: of angles up to 2^30, to the last place.
WARPMESH_DEVICE double warpmesh_reduce(double x, int *quadrant) {
  double n = rint(x * 0.6366197723675814);
  *quadrant = (int)((long long)n & 3);
  double r = fma(n, -1.5707963267341256, x);
  double t = r;
  r = fma(n, -6.0771005063039660e-11, t);
  t = r;
  r = fma(n, -2.0222662487111665e-21, t);
  return fma(n, -8.4784276603689e-32, r);
}
WARPMESH_DEVICE double sin(double x) {
  if (!isfinite(x))
    return __builtin_nan("");
  int q;
  double r = warpmesh_reduce(x, &q), y = q & 1 ? warpmesh_cos_core(r) : warpmesh_sin_core(r);
  return x == 0.0 ? x : q & 2 ? -y : y;
}
WARPMESH_DEVICE double cos(double x) {
  if (!isfinite(x))
    return __builtin_nan("");
  int q;
  double r = warpmesh_reduce(x, &q), y = q & 1 ? warpmesh_sin_core(r) : warpmesh_cos_core(r);
  return (q + 1) & 2 ? -y : y;
}
WARPMESH_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
WARPMESH_DEVICE double tan(double x) {
  if (!isfinite(x))
    return __builtin_nan("");
  int q;
  double r = warpmesh_reduce(x, &q), s = warpmesh_sin_core(r), c = warpmesh_cos_core(r);
  return x == 0.0 ? x : q & 1 ? -c / s : s / c;
}
// arctan: the angle is halved twice, then the series.
WARPMESH_DEVICE double atan(double x) {
  if (x != x)
    return x;
  double t = fabs(x);
  bool inverse = t > 1.0;
  if (inverse)
    t = 1.0 / t;
  t = t / (1.0 + sqrt(fma(t, t, 1.0)));
  t = t / (1.0 + sqrt(fma(t, t, 1.0)));
  double z = t * t, a = 0.0;
  for (int k = 27; k > 1; k -= 2)
    a = 1.0 / (double)k - a * z;
  double y = 4.0 * fma(-a * z, t, t);
  return copysign(inverse ? 1.5707963267948966 - y : y, x);
}
WARPMESH_DEVICE double atan2(double y, double x) {
  if (x != x || y != y)
    return __builtin_nan("");
  double a = fabs(x), b = fabs(y), large = fmax(a, b), small = fmin(a, b);
  double angle = atan(large == 0.0 ? 0.0 : isinf(small) ? 1.0 : small / large);
  if (b > a)
    angle = 1.5707963267948966 - angle;
  if (signbit(x))
    angle = 3.141592653589793 - angle;
  return copysign(angle, y);
}
WARPMESH_DEVICE double asin(double x) { return fabs(x) <= 1.0 ? atan2(x, sqrt((1.0 - x) * (1.0 + x))) : __builtin_nan(""); }
WARPMESH_DEVICE double acos(double x) { return fabs(x) <= 1.0 ? 2.0 * atan2(sqrt(1.0 - x), sqrt(1.0 + x)) : __builtin_nan(""); }
WARPMESH_DEVICE double sinh(double x) {
  double t = fabs(x), m = expm1(t);
  return x == 0.0 ? x : copysign(t > 700.0 ? exp(t - 0.6931471805599453) : 0.5 * (m + m / (1.0 + m)), x);
}
WARPMESH_DEVICE double cosh(double x) { double half = exp(fabs(x) - 0.6931471805599453); return half + 0.25 / half; }
WARPMESH_DEVICE double tanh(double x) {
  double t = fabs(x), m = expm1(fmin(2.0 * t, 60.0));
  return x == 0.0 || x != x ? x : copysign(m / (m + 2.0), x);
}
WARPMESH_DEVICE double asinh(double x) {
  double t = fabs(x);
  return x == 0.0 ? x : copysign(t > 1e150 ? log(t) + 0.6931471805599453 : log1p(t + t * t / (1.0 + sqrt(fma(t, t, 1.0)))), x);
}
WARPMESH_DEVICE double acosh(double x) { return x > 1e150 ? log(x) + 0.6931471805599453 : log1p((x - 1.0) + sqrt((x - 1.0) * (x + 1.0))); }
WARPMESH_DEVICE double atanh(double x) { double t = fabs(x); return copysign(0.5 * log1p(2.0 * t / (1.0 - t)), x); }
WARPMESH_DEVICE double warpmesh_erfc_far(double t) {
  double below = t;
  for (int k = 80; k > 0; --k)
    below = t + 0.5 * (double)k / below;
  double square = t * t;
  return exp(-square) * (1.0 - fma(t, t, -square)) * 0.5641895835477563 / below;
}
WARPMESH_DEVICE double erf(double x) {
  double t = fabs(x);
  if (x != x || x == 0.0)
    return x;
  if (t > 2.5)
    return copysign(t > 6.0 ? 1.0 : 1.0 - warpmesh_erfc_far(t), x);
  double z = t * t, term = t, sum = t;
  for (int k = 1; k < 70; ++k) {
    term *= 2.0 * z / (double)(2 * k + 1);
    sum += term;
  }
  return copysign(1.1283791670955126 * sum * exp(-z), x);
}
WARPMESH_DEVICE double erfc(double x) { return x != x ? x : x < 2.0 ? 1.0 - erf(x) : x > 27.3 ? 0.0 : warpmesh_erfc_far(x); }
WARPMESH_DEVICE double normcdf(double x) { return 0.5 * erfc(-0.7071067811865476 * x); }

#endif
