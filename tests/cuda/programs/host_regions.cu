// Host code in OpenMP regions calls functions that device code has, too: they are the host's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <regex>

int main() {
  float sums[64] = {};
#pragma omp parallel for
  for (int i = 0; i < 64; ++i) {
    float *values = (float *)malloc(16 * sizeof(float));
    memset(values, 0, 16 * sizeof(float));
    for (int j = 0; j < 16; ++j) values[j] = sqrtf((float)(i * j)) + std::max(i, j) + min(i, j) + fabs(-1.0);
    float copy[16];
    memcpy(copy, values, sizeof copy);
    for (int j = 0; j < 16; ++j) sums[i] += copy[j];
    free(values);
    if (i == 63) printf("%s\n", "in a region");
  }
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    float sum = 0;
    for (int j = 0; j < 16; ++j) sum += std::sqrt((float)(i * j)) + i + j + 1;
    wrong += std::fabs(sum - sums[i]) > 1e-3f * sum;
  }
  auto shared = std::make_shared<int>(3);
  std::promise<int> promise;
  promise.set_value(*shared);
  wrong += promise.get_future().get() != 3 || !std::regex_match("abc", std::regex("a.c"));
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
