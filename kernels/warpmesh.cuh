// The little of CUDA C that these kernels use, so that clang compiles them without the CUDA SDK.
#ifndef WARPMESH_CUH
#define WARPMESH_CUH

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

// threadIdx.x and its kin read special registers; each property is a call of the builtin.
#define WARPMESH_SPECIAL(member, builtin)                                 \
  __declspec(property(get = get_##member)) unsigned int member;          \
  static inline __device__ __attribute__((always_inline)) unsigned int   \
  get_##member(void) { return builtin(); }

struct warpmesh_thread_index {
  WARPMESH_SPECIAL(x, __nvvm_read_ptx_sreg_tid_x)
  WARPMESH_SPECIAL(y, __nvvm_read_ptx_sreg_tid_y)
  WARPMESH_SPECIAL(z, __nvvm_read_ptx_sreg_tid_z)
};
struct warpmesh_block_dim {
  WARPMESH_SPECIAL(x, __nvvm_read_ptx_sreg_ntid_x)
  WARPMESH_SPECIAL(y, __nvvm_read_ptx_sreg_ntid_y)
  WARPMESH_SPECIAL(z, __nvvm_read_ptx_sreg_ntid_z)
};
struct warpmesh_block_index {
  WARPMESH_SPECIAL(x, __nvvm_read_ptx_sreg_ctaid_x)
  WARPMESH_SPECIAL(y, __nvvm_read_ptx_sreg_ctaid_y)
  WARPMESH_SPECIAL(z, __nvvm_read_ptx_sreg_ctaid_z)
};
struct warpmesh_grid_dim {
  WARPMESH_SPECIAL(x, __nvvm_read_ptx_sreg_nctaid_x)
  WARPMESH_SPECIAL(y, __nvvm_read_ptx_sreg_nctaid_y)
  WARPMESH_SPECIAL(z, __nvvm_read_ptx_sreg_nctaid_z)
};

extern const __device__ __attribute__((weak)) warpmesh_thread_index threadIdx;
extern const __device__ __attribute__((weak)) warpmesh_block_dim blockDim;
extern const __device__ __attribute__((weak)) warpmesh_block_index blockIdx;
extern const __device__ __attribute__((weak)) warpmesh_grid_dim gridDim;

// __syncthreads() is a builtin of clang.

#endif
