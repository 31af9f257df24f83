// The functions of mathematics on the device, in single precision, against those of the host in double: the largest error of each, in last places.
#include "check.h"
#include <cmath>
#include <cstring>
#include <vector>

enum Function {
  SIN, COS, TAN, ASIN, ACOS, ATAN, EXP, EXP2, EXP10, EXPM1, LOG, LOG2, LOG10, LOG1P, SINH, COSH, TANH, ASINH, ACOSH, ATANH, CBRT, SQRT, RSQRT, ERF, ERFC,
  FLOOR, CEIL, TRUNC, ROUND, RINT, POW, ATAN2, HYPOT, FMOD, FDIM, FMAX, FMIN, FUNCTIONS
};
const char *const NAMES[FUNCTIONS] = {"sin", "cos", "tan", "asin", "acos", "atan", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p",
  "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "sqrt", "rsqrt", "erf", "erfc", "floor", "ceil", "trunc", "round", "rint", "pow", "atan2",
  "hypot", "fmod", "fdim", "fmax", "fmin"};
// Where each is called, and how far off it may be.
struct Range { float low, high, places; };
const Range RANGES[FUNCTIONS] = {{-1e6f, 1e6f, 2}, {-1e6f, 1e6f, 2}, {-1e4f, 1e4f, 4}, {-1, 1, 3}, {-1, 1, 3}, {-100, 100, 3}, {-87, 88, 2}, {-125, 127, 2}, {-37, 38, 2},
  {-5, 5, 3}, {0, 1000, 2}, {0, 1000, 2}, {0, 1000, 2}, {-0.99f, 10, 3}, {-20, 20, 4}, {-20, 20, 3}, {-5, 5, 4}, {-1000, 1000, 4}, {1, 1000, 4}, {-0.99f, 0.99f, 4},
  {-1000, 1000, 2}, {0, 1e6f, 0.501f}, {0.001f, 1e6f, 2}, {-4, 4, 12}, {-3, 9, 24}, {-1e3f, 1e3f, 0}, {-1e3f, 1e3f, 0}, {-1e3f, 1e3f, 0}, {-1e3f, 1e3f, 0}, {-1e3f, 1e3f, 0},
  {0, 20, 3}, {-10, 10, 3}, {-1e3f, 1e3f, 1}, {-1e3f, 1e3f, 0}, {-10, 10, 0.501f}, {-10, 10, 0}, {-10, 10, 0}};

__device__ float on_device(int function, float x, float y) {
  switch (function) {
  case SIN: return sinf(x);
  case COS: return cos(x);
  case TAN: return std::tan(x);
  case ASIN: return asinf(x);
  case ACOS: return acosf(x);
  case ATAN: return atanf(x);
  case EXP: return std::exp(x);
  case EXP2: return exp2f(x);
  case EXP10: return exp10f(x);
  case EXPM1: return expm1f(x);
  case LOG: return log(x);
  case LOG2: return log2f(x);
  case LOG10: return log10f(x);
  case LOG1P: return log1pf(x);
  case SINH: return sinhf(x);
  case COSH: return coshf(x);
  case TANH: return tanhf(x);
  case ASINH: return asinhf(x);
  case ACOSH: return acoshf(x);
  case ATANH: return atanhf(x);
  case CBRT: return cbrtf(x);
  case SQRT: return sqrt(x);
  case RSQRT: return rsqrtf(x);
  case ERF: return erff(x);
  case ERFC: return erfcf(x);
  case FLOOR: return floorf(x);
  case CEIL: return ceil(x);
  case TRUNC: return truncf(x);
  case ROUND: return roundf(x);
  case RINT: return rintf(x);
  case POW: return powf(x, y);
  case ATAN2: return atan2f(x, y);
  case HYPOT: return hypotf(x, y);
  case FMOD: return fmodf(x, y);
  case FDIM: return fdimf(x, y);
  case FMAX: return fmaxf(x, y);
  default: return min(x, y);
  }
}

double on_host(int function, double x, double y) {
  switch (function) {
  case SIN: return sin(x);
  case COS: return cos(x);
  case TAN: return tan(x);
  case ASIN: return asin(x);
  case ACOS: return acos(x);
  case ATAN: return atan(x);
  case EXP: return exp(x);
  case EXP2: return exp2(x);
  case EXP10: return pow(10.0, x);
  case EXPM1: return expm1(x);
  case LOG: return log(x);
  case LOG2: return log2(x);
  case LOG10: return log10(x);
  case LOG1P: return log1p(x);
  case SINH: return sinh(x);
  case COSH: return cosh(x);
  case TANH: return tanh(x);
  case ASINH: return asinh(x);
  case ACOSH: return acosh(x);
  case ATANH: return atanh(x);
  case CBRT: return cbrt(x);
  case SQRT: return sqrt(x);
  case RSQRT: return 1.0 / sqrt(x);
  case ERF: return erf(x);
  case ERFC: return erfc(x);
  case FLOOR: return floor(x);
  case CEIL: return ceil(x);
  case TRUNC: return trunc(x);
  case ROUND: return round(x);
  case RINT: return rint(x);
  case POW: return pow(x, y);
  case ATAN2: return atan2(x, y);
  case HYPOT: return hypot(x, y);
  case FMOD: return fmod(x, y);
  case FDIM: return fdim(x, y);
  case FMAX: return fmax(x, y);
  default: return fmin(x, y);
  }
}

template <int function> __global__ void evaluate(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = on_device(function, x[i], y[i]);
}

template <int function> int check(int n) {
  Range range = RANGES[function];
  std::vector<float> x(n), y(n), out(n);
  unsigned state = 12345 + function;
  auto random = [&] { return (float)((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f; };
  for (int i = 0; i < n; ++i) {
    x[i] = range.low + (range.high - range.low) * random();
    // Small numbers, too.
    if (i % 8 == 0 && range.low <= 0.0f && range.high >= 1.0f)
      x[i] *= 0.001f;
    y[i] = -10.0f + 20.0f * random();
  }
  // What is special, and what it has to give, as the host says.
  const float specials[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 0.5f, 2.0f, -2.0f, 1e-40f, 3e38f};
  const int special = 12;
  for (int i = 0; i < special * special; ++i) {
    x[i] = specials[i / special];
    y[i] = specials[i % special];
  }
  float *d[3];
  for (float *&buffer : d)
    CHECK(cudaMalloc(&buffer, n * sizeof(float)));
  CHECK(cudaMemcpy(d[0], &x[0], n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d[1], &y[0], n * sizeof(float), cudaMemcpyHostToDevice));
  evaluate<function><<<(n + 127) / 128, 128>>>(d[0], d[1], d[2], n);
  CHECK(cudaMemcpy(&out[0], d[2], n * sizeof(float), cudaMemcpyDeviceToHost));
  double worst = 0.0;
  float at = 0.0f;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double exact = on_host(function, x[i], y[i]);
    float rounded = (float)exact;
    if (std::isnan(exact) || std::isinf(rounded) || exact == 0.0) {
      bool same = std::isnan(exact) ? std::isnan(out[i]) : out[i] == rounded;
      if (!same && !(std::isinf(rounded) && std::fabs(out[i]) > 3.4e38f)) {
        if (++wrong <= 3)
          printf("%s(%g, %g) = %g, not %g\n", NAMES[function], x[i], y[i], out[i], rounded);
      }
      continue;
    }
    int exponent;
    frexp(exact, &exponent);
    double place = ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
    double error = std::fabs(out[i] - exact) / place;
    if (!(error <= worst)) {
      worst = error;
      at = x[i];
    }
  }
  bool far = !(worst <= range.places);
  if (far || wrong)
    printf("%-6s %8.2f last places at %g, %d special values wrong\n", NAMES[function], worst, at, wrong);
  for (float *buffer : d)
    CHECK(cudaFree(buffer));
  return far + (wrong > 0);
}

template <int function> int check_from(int n) {
  if constexpr (function < FUNCTIONS)
    return check<function>(n) + check_from<function + 1>(n);
  return 0;
}

int main(int argc, char **argv) {
  int wrong = check_from<0>(argc > 1 ? atoi(argv[1]) : 1000);
  printf("%d functions wrong\n", wrong);
  return wrong != 0;
}
