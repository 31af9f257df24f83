// threadIdx and its like: variables without memory, whose members are special registers.
#ifndef WARPMESH_DEVICE_LAUNCH_PARAMETERS_H
#define WARPMESH_DEVICE_LAUNCH_PARAMETERS_H
#pragma GCC system_header
// By these names other headers ask whether this one has been included.
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#define WARPMESH_REGISTER(member, builtin)                                                  \
  __declspec(property(get = read_##member)) unsigned int member;                            \
  static inline __attribute__((always_inline, device)) unsigned int read_##member() { return builtin; }

#define WARPMESH_SPECIAL(type, builtin)                                                     \
  struct type {                                                                             \
    WARPMESH_REGISTER(x, builtin##x())                                                      \
    WARPMESH_REGISTER(y, builtin##y())                                                      \
    WARPMESH_REGISTER(z, builtin##z())                                                      \
    __attribute__((device)) operator dim3() const { return dim3(x, y, z); }                 \
    __attribute__((device)) operator uint3() const { return make_uint3(x, y, z); }          \
                                                                                            \
  private:                                                                                  \
    __attribute__((device)) void operator=(const type &) const;                             \
    __attribute__((device)) type *operator&() const;                                        \
  };

WARPMESH_SPECIAL(warpmesh_thread_index, __nvvm_read_ptx_sreg_tid_)
WARPMESH_SPECIAL(warpmesh_block_index, __nvvm_read_ptx_sreg_ctaid_)
WARPMESH_SPECIAL(warpmesh_block_size, __nvvm_read_ptx_sreg_ntid_)
WARPMESH_SPECIAL(warpmesh_grid_size, __nvvm_read_ptx_sreg_nctaid_)

extern const __attribute__((device, weak)) warpmesh_thread_index threadIdx;
extern const __attribute__((device, weak)) warpmesh_block_index blockIdx;
extern const __attribute__((device, weak)) warpmesh_block_size blockDim;
extern const __attribute__((device, weak)) warpmesh_grid_size gridDim;
static __attribute__((device)) const int warpSize = 32;

#undef WARPMESH_SPECIAL
#undef WARPMESH_REGISTER

#endif
