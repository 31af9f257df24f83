// Ends the program with the place of a call that fails.
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t error = call;                                                                    \
    if (error != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));             \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

#endif
