// printf in device code: a call leaves a record in a buffer of its file, which the host prints after the launch.
#ifndef WARPMESH_DEVICE_PRINTF_H
#define WARPMESH_DEVICE_PRINTF_H
#pragma GCC system_header

#include "device_functions.h"

#define WARPMESH_PRINTF_WORDS (1 << 17)
// `next`: words in use. A record: the format; a byte for each argument's kind, from the lowest on, after their number; the arguments.
struct warpmesh_printf_buffer {
  unsigned long long next;
  unsigned long long words[WARPMESH_PRINTF_WORDS];
};
static __attribute__((device)) warpmesh_printf_buffer warpmesh_printf;

struct warpmesh_printf_argument {
  unsigned long long bits;
  unsigned kind;
};
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(long long x) { return {(unsigned long long)x, 0}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(unsigned long long x) { return {x, 0}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(long x) { return {(unsigned long long)x, 0}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(unsigned long x) { return {x, 0}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(int x) { return {(unsigned long long)x, 0}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(unsigned x) { return {x, 0}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(float x) { return {__float_as_uint(x), 1}; }
WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(double x) { return {(unsigned long long)__double_as_longlong(x), 2}; }
template <class T> WARPMESH_DEVICE warpmesh_printf_argument warpmesh_argument(T *x) { return {(unsigned long long)x, 0}; }

template <class... Arguments> __attribute__((device)) static __noinline__ int warpmesh_print(const char *format, Arguments... arguments) {
  const unsigned count = sizeof...(Arguments);
  static_assert(count <= 32, "printf in device code takes up to 32 arguments");
  const unsigned kinds = (count + 11) / 8;
  const unsigned long long words = 1 + kinds + count;
  unsigned long long at = atomicAdd(&warpmesh_printf.next, words);
  if (at + words > WARPMESH_PRINTF_WORDS)
    return -1;
  unsigned long long *record = warpmesh_printf.words + at;
  const warpmesh_printf_argument values[count + 1] = {warpmesh_argument(arguments)..., {0, 0}};
  record[0] = (unsigned long long)format;
  unsigned long long kind = count;
  unsigned place = 32;
#pragma unroll
  for (unsigned i = 0; i < count; ++i) {
    kind |= (unsigned long long)values[i].kind << place;
    place += 8;
    if (place == 64) {
      *++record = kind;
      kind = 0;
      place = 0;
    }
  }
  if (place != 0)
    warpmesh_printf.words[at + kinds] = kind;
#pragma unroll
  for (unsigned i = 0; i < count; ++i)
    warpmesh_printf.words[at + 1 + kinds + i] = values[i].bits;
  return (int)count;
}
#ifdef __CUDA_ARCH__
template <class... Arguments> WARPMESH_DEVICE int printf(const char *format, Arguments... arguments) { return warpmesh_print(format, arguments...); }
WARPMESH_DEVICE int printf(const char *format) { return warpmesh_print(format); }
#else
// Where the host's code is compiled, for both: clang takes OpenMP's parallel regions for neither, and would call a device function there.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-security"
template <class... Arguments> WARPMESH_BOTH int printf(const char *format, Arguments... arguments) { return fprintf(stdout, format, arguments...); }
#pragma clang diagnostic pop
#endif

#endif
