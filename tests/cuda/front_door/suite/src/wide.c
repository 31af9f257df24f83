#include <cuda_runtime_api.h>
int device_count(void) { int count = 0; return cudaGetDeviceCount(&count) == cudaSuccess ? count : -1; }
