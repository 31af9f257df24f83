// Arithmetic with a rounding in its name, against the host with that rounding.
#include "check.h"
#include <cfenv>
#include <cmath>

__global__ void directed(float *f, double *d, const float *x) {
  int i = threadIdx.x;
  float a = x[i], b = x[i + 1];
  f[4 * i] = __fadd_rd(a, b);
  f[4 * i + 1] = __fdiv_ru(a, b);
  f[4 * i + 2] = __fmaf_rz(a, b, -1.0f);
  f[4 * i + 3] = __int2float_ru(16777217 + i);
  d[2 * i] = __dmul_rz(a, 1.0 / 3.0);
  d[2 * i + 1] = __dsqrt_ru(fabs((double)b));
}

int main() {
  const int n = 64;
  float x[n + 1], f[4 * n], *d_x, *d_f;
  double d[2 * n], *d_d;
  int wrong = 0;
  for (int i = 0; i <= n; ++i)
    x[i] = 0.1f * i - 3.05f;
  CHECK(cudaMalloc(&d_x, sizeof x));
  CHECK(cudaMalloc(&d_f, sizeof f));
  CHECK(cudaMalloc(&d_d, sizeof d));
  CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
  directed<<<1, n>>>(d_f, d_d, d_x);
  CHECK(cudaMemcpy(f, d_f, sizeof f, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    volatile float a = x[i], b = x[i + 1], sum, quotient, fused, whole;
    volatile double third = 1.0 / 3.0, wide = a, size = b < 0 ? -b : b, product, root;
    volatile int integer = 16777217 + i;
    fesetround(FE_DOWNWARD);
    sum = a + b;
    fesetround(FE_UPWARD);
    quotient = a / b;
    whole = (float)integer;
    root = sqrt(size);
    fesetround(FE_TOWARDZERO);
    fused = fmaf(a, b, -1.0f);
    product = wide * third;
    fesetround(FE_TONEAREST);
    wrong += sum != f[4 * i] || quotient != f[4 * i + 1] || fused != f[4 * i + 2] || whole != f[4 * i + 3];
    wrong += product != d[2 * i] || root != d[2 * i + 1];
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
