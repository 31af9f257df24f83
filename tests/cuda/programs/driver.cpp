// The driver interface: a module from PTX, a kernel with parameters given in both ways, variables, memory, events. Compiled for the host alone.
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                     \
  do {                                                                  \
    CUresult status = call;                                             \
    if (status != CUDA_SUCCESS) {                                       \
      const char *text = "?";                                           \
      cuGetErrorString(status, &text);                                  \
      fprintf(stderr, "%s:%d: %d, %s\n", __FILE__, __LINE__, status, text); \
      return 1;                                                         \
    }                                                                   \
  } while (0)

static const char *PTX =
    ".version 6.0\n.target sm_60\n.address_size 64\n"
    ".visible .global .align 4 .u32 calls = 5;\n"
    ".visible .entry scale(.param .u64 values, .param .u32 factor, .param .u64 unused)\n{\n"
    ".reg .b64 %rd<5>;\n.reg .b32 %r<5>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [values];\nld.param.u32 %r1, [factor];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
    "ld.global.u32 %r3, [%rd4];\nmul.lo.u32 %r3, %r3, %r1;\nst.global.u32 [%rd4], %r3;\n"
    "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nld.global.u32 %r4, [calls];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [calls], %r4;\n"
    "DONE:\nret;\n}\n";

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale, missing;
  CUdeviceptr values, calls;
  CUevent start, stop;
  int major, minor;
  size_t bytes;
  char name[32];
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceComputeCapability(&major, &minor, device));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoadData(&module, PTX));
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CHECK(cuMemAlloc(&values, 64 * sizeof(int)));
  CHECK(cuMemsetD32(values, 3, 64));
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&stop, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(start, 0));
  int factor = 5;
  void *unused = 0;
  void *params[] = {&values, &factor, &unused};
  CHECK(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, 0, params, 0));
  char row[24];
  size_t size = sizeof row;
  factor = 7;
  memcpy(row, &values, 8);
  memcpy(row + 8, &factor, 4);
  memcpy(row + 16, &unused, 8);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, row, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, 0, 0, extra));
  CHECK(cuEventRecord(stop, 0));
  CHECK(cuCtxSynchronize());
  int result[64], wrong = 0, count = 0;
  CHECK(cuMemcpyDtoH(result, values, sizeof result));
  for (int i = 0; i < 64; ++i) wrong += result[i] != 3 * 5 * 7;
  CHECK(cuModuleGetGlobal(&calls, &bytes, module, "calls"));
  CHECK(cuMemcpyDtoH(&count, calls, bytes));
  wrong += bytes != 4 || count != 7;
  // Mistakes have the driver's numbers.
  wrong += cuModuleGetFunction(&missing, module, "missing") != CUDA_ERROR_NOT_FOUND;
  wrong += cuModuleGetGlobal(&calls, &bytes, module, "missing") != CUDA_ERROR_NOT_FOUND;
  wrong += cuModuleLoad(&module, "no-such.ptx") != CUDA_ERROR_FILE_NOT_FOUND;
  wrong += cuModuleLoadData(&module, "this is no PTX") != CUDA_ERROR_INVALID_PTX;
  wrong += cuDeviceGet(&device, 1) != CUDA_ERROR_INVALID_DEVICE;
  wrong += cuMemFree(values + 4) == CUDA_SUCCESS;
  CHECK(cuMemFree(values));
  CHECK(cuCtxDestroy(context));
  printf("%s, %d.%d, %d wrong\n", name, major, minor, wrong);
  return wrong != 0;
}
