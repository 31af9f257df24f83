// As the helper headers of public suites: what it defines depends on the headers that have been included before.
#ifndef COMMON_HELPER_H
#define COMMON_HELPER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __DRIVER_TYPES_H__
inline const char *error_name(cudaError_t error) { return cudaGetErrorName(error); }
#endif
#ifdef __CUDA_RUNTIME_H__
inline int device_version() {
  int device = 0, major = 0, minor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  return 10 * major + minor;
}
template <typename T> void check(T result, char const *const function, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "%s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<unsigned int>(result), error_name(result), function);
    exit(EXIT_FAILURE);
  }
}
#define check_errors(value) check((value), #value, __FILE__, __LINE__)
#endif

#endif
