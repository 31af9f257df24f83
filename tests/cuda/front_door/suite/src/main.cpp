// Compiled by the host's compiler, as the suites do.
#include <cuda_runtime.h>
#include "helper.h"
#include "scale.cuh"

int main() {
  float values[100];
  for (int i = 0; i < 100; ++i) values[i] = i;
  scale_on_device(values, 100);
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong += values[i] != 3.0f * i;
  printf("%d wrong, compute capability %d\n", wrong, device_version());
  return wrong != 0;
}
