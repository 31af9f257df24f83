// The names of mathematics in device code, declared before the host's <cmath>: clang then keeps the two apart.
#ifndef WARPMESH_MATH_NAMES_H
#define WARPMESH_MATH_NAMES_H
#pragma GCC system_header

#include "host_defines.h"

#define WARPMESH_UNARY(each)                                                                                            \
  each(acos) each(acosh) each(asin) each(asinh) each(atan) each(atanh) each(cbrt) each(ceil) each(cos) each(cosh)       \
  each(erf) each(erfc) each(exp) each(exp2) each(expm1) each(fabs) each(floor) each(log) each(log10) each(log1p)        \
  each(log2) each(nearbyint) each(rint) each(round) each(sin) each(sinh) each(sqrt) each(tan) each(tanh) each(trunc)
#define WARPMESH_BINARY(each) each(atan2) each(copysign) each(fdim) each(fmax) each(fmin) each(fmod) each(hypot) each(pow)

#define WARPMESH_DECLARE(name)        \
  WARPMESH_DEVICE float name##f(float); \
  WARPMESH_DEVICE float name(float);  \
  WARPMESH_DEVICE double name(double);
WARPMESH_UNARY(WARPMESH_DECLARE)
#undef WARPMESH_DECLARE
#define WARPMESH_DECLARE(name)               \
  WARPMESH_DEVICE float name##f(float, float); \
  WARPMESH_DEVICE float name(float, float);  \
  WARPMESH_DEVICE double name(double, double);
WARPMESH_BINARY(WARPMESH_DECLARE)
#undef WARPMESH_DECLARE
// What clang's <new> calls in device code.
WARPMESH_DEVICE void *malloc(__SIZE_TYPE__) noexcept;
WARPMESH_DEVICE void free(void *) noexcept;
WARPMESH_DEVICE float fmaf(float, float, float);
WARPMESH_DEVICE float fma(float, float, float);
WARPMESH_DEVICE double fma(double, double, double);
WARPMESH_DEVICE float ldexpf(float, int);
WARPMESH_DEVICE float ldexp(float, int);
WARPMESH_DEVICE double ldexp(double, int);
WARPMESH_DEVICE float frexpf(float, int *);
WARPMESH_DEVICE float frexp(float, int *);
WARPMESH_DEVICE double frexp(double, int *);
WARPMESH_DEVICE float modff(float, float *);
WARPMESH_DEVICE long lrintf(float);
WARPMESH_DEVICE long lroundf(float);
WARPMESH_DEVICE int abs(int) noexcept;
WARPMESH_DEVICE long labs(long) noexcept;
WARPMESH_DEVICE long long llabs(long long) noexcept;
WARPMESH_DEVICE float abs(float);
WARPMESH_DEVICE double abs(double);
WARPMESH_DEVICE long abs(long);
WARPMESH_DEVICE long long abs(long long);
WARPMESH_DEVICE bool isnan(float);
WARPMESH_DEVICE bool isnan(double);
WARPMESH_DEVICE bool isinf(float);
WARPMESH_DEVICE bool isinf(double);
WARPMESH_DEVICE bool isfinite(float);
WARPMESH_DEVICE bool isfinite(double);
WARPMESH_DEVICE bool signbit(float);
WARPMESH_DEVICE bool signbit(double);

namespace std {
#define WARPMESH_USE(name) using ::name;
WARPMESH_UNARY(WARPMESH_USE)
WARPMESH_BINARY(WARPMESH_USE)
#undef WARPMESH_USE
using ::abs;
using ::fma;
using ::frexp;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::labs;
using ::ldexp;
using ::llabs;
using ::signbit;
} // namespace std

#endif
