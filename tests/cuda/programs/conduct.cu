// What the runtime does with calls and kernels that are wrong, or that look so: by the letter given as argument.
#include "check.h"
#include <cassert>

texture<float, 1> values;

__global__ void lower(const int *limits, int *out) {
  assert(threadIdx.x < limits[0]);
  out[threadIdx.x] = 1;
}
__global__ void pick(float *out, bool fetch) { out[threadIdx.x] = fetch ? tex1Dfetch(values, threadIdx.x) : 3.0f; }
__global__ void pick_object(float *out, cudaTextureObject_t object, bool fetch) { *out = fetch ? tex1Dfetch<float>(object, 0) : 4.0f; }
texture<float, 1> left, right;
__global__ void either(float *out, cudaTextureObject_t first, cudaTextureObject_t second, int bound) {
  int i = threadIdx.x;
  if (i < bound)
    out[i] = i + tex1Dfetch(left, i);
  else
    out[i] = i + tex1Dfetch(right, i);
  out[32 + i] = tex1Dfetch<float>(out[i] > 40 ? first : second, i);
}
__global__ void outside(cudaSurfaceObject_t surface, int row) { surf2Dwrite(7, surface, 0, row); }
__global__ void stop() { __trap(); }
__global__ void shift(char *bytes) { *(int *)(bytes + 1) = 5; }
__global__ void mark(int *out) { *out = 7; }

static int wrong = 0;
static void expect(cudaError_t found, cudaError_t expected, const char *what) {
  if (found != expected) {
    printf("%s: %d, not %d\n", what, found, expected);
    ++wrong;
  }
}

static void free_host() {
  void *given, *mapped, *managed, *device;
  int own[4];
  CHECK(cudaHostAlloc(&given, 64, 0));
  CHECK(cudaHostAlloc(&mapped, 64, cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&managed, 64));
  CHECK(cudaMalloc(&device, 64));
  expect(cudaFreeHost(given), cudaSuccess, "given");
  expect(cudaFreeHost(given), cudaErrorInvalidValue, "twice");
  expect(cudaFreeHost(own), cudaErrorInvalidValue, "on the stack");
  expect(cudaFreeHost(device), cudaErrorInvalidValue, "the device's");
  expect(cudaFreeHost(managed), cudaErrorInvalidValue, "managed");
  expect(cudaFree(mapped), cudaErrorInvalidValue, "mapped");
  expect(cudaFreeHost(mapped), cudaSuccess, "mapped by its own function");
  expect(cudaFree(managed), cudaSuccess, "managed by its own function");
  expect(cudaFreeHost(NULL), cudaSuccess, "null");
  expect(cudaMemcpy((void *)16, device, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue, "to nowhere");
  expect(cudaMemcpy(device, (void *)0xdeadbeefdeadbeefull, 64, cudaMemcpyDefault), cudaErrorInvalidValue, "from nowhere");
  expect(cudaMalloc((void **)16, 64), cudaErrorInvalidValue, "a result nowhere");
}

static void codes() {
  static char memory[4096];
  char *device;
  CHECK(cudaMalloc(&device, 64));
  expect(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice), cudaSuccess, "nothing from null");
  expect(cudaMemcpy(NULL, NULL, 0, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection, "nothing in no direction");
  expect(cudaMemcpy2D(device, 4, memory, 8, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue, "pitch");
  expect(cudaHostRegister(memory, sizeof memory, 0), cudaSuccess, "register");
  expect(cudaHostRegister(memory, sizeof memory, 0), cudaErrorHostMemoryAlreadyRegistered, "register twice");
  expect(cudaHostRegister(memory + 100, 1, 0), cudaErrorHostMemoryAlreadyRegistered, "register a part");
  expect(cudaHostUnregister(memory), cudaSuccess, "unregister");
  expect(cudaHostUnregister(memory), cudaErrorHostMemoryNotRegistered, "unregister twice");
  void *seen;
  static char mapped_memory[256];
  expect(cudaHostRegister(mapped_memory, sizeof mapped_memory, cudaHostRegisterMapped), cudaSuccess, "register, mapped");
  expect(cudaHostGetDevicePointer(&seen, mapped_memory + 1, 0), cudaErrorNotSupported, "the device's pointer to registered memory");
  expect(cudaHostUnregister(mapped_memory), cudaSuccess, "unregister mapped memory");
  expect(cudaHostRegister(NULL, 1, 0), cudaErrorInvalidValue, "register null");
  expect(cudaStreamDestroy(0), cudaErrorInvalidResourceHandle, "the stream of the language");
  cudaEvent_t untimed;
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CHECK(cudaEventRecord(untimed));
  float milliseconds;
  expect(cudaEventElapsedTime(&milliseconds, untimed, untimed), cudaErrorInvalidResourceHandle, "an event without time");
  expect(cudaUnbindTexture((const textureReference *)memory), cudaErrorInvalidTexture, "no texture");
  cudaPointerAttributes about;
  void *pinned;
  CHECK(cudaMallocHost(&pinned, 4));
  CHECK(cudaPointerGetAttributes(&about, pinned));
  wrong += about.type != cudaMemoryTypeHost;
  CHECK(cudaPointerGetAttributes(&about, memory));
  wrong += about.type != cudaMemoryTypeUnregistered;
  cudaDeviceProp of;
  CHECK(cudaGetDeviceProperties(&of, 0));
  printf("%d %d %d, %d blocks\n", of.canMapHostMemory, of.deviceOverlap, of.asyncEngineCount, of.maxGridSize[0]);
  int engines;
  CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, 0));
  wrong += engines != of.asyncEngineCount || of.maxTexture3D[0] == 0;
  mark<<<1, 1, 1 << 20>>>((int *)device);
  expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "shared memory");
}

static void textures() {
  float *data, *out, host[4] = {1, 2, 3, 4};
  CHECK(cudaMalloc(&data, sizeof host));
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  pick<<<1, 4>>>(out, false);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  pick_object<<<1, 1>>>(out, 0, false);
  CHECK(cudaMemcpy(host + 1, out, 4, cudaMemcpyDeviceToHost));
  printf("%g %g\n", host[0], host[1]);
  expect(cudaBindTexture(0, values, data, 2 * sizeof host), cudaSuccess, "more than there is");
  pick<<<1, 4>>>(out, true);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  printf("%g %g\n", host[0], host[3]);
  CHECK(cudaUnbindTexture(values));
  pick<<<1, 4>>>(out, true);
  expect(cudaGetLastError(), cudaErrorIllegalAddress, "a read of what is not bound");
}

// Which of two textures is read is known when the kernel runs.
static cudaTextureObject_t object_over(float *data, int count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = count * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &description, NULL));
  return object;
}
static void chosen() {
  float *data, *out, host[64], result[64];
  for (int i = 0; i < 64; ++i)
    host[i] = i < 32 ? i + 1 : 100 * i;
  CHECK(cudaMalloc(&data, sizeof host));
  CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  size_t offset;
  CHECK(cudaBindTexture(&offset, left, data, 32 * sizeof(float)));
  CHECK(cudaBindTexture(&offset, right, data + 32, 32 * sizeof(float)));
  cudaTextureObject_t first = object_over(data, 32), second = object_over(data + 32, 32);
  for (int bound = 0; bound <= 32; bound += 16) {
    either<<<1, 32>>>(out, first, second, bound);
    CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i) {
      float sum = i + host[i < bound ? i : 32 + i];
      wrong += result[i] != sum || result[32 + i] != host[sum > 40 ? i : 32 + i];
    }
  }
}
// Instructions for five shapes of arrays, each with an array of another shape.
__global__ void other_shape(cudaSurfaceObject_t surface, int instruction, int *out) {
  switch (instruction) {
  case 1: *out = surf1Dread<int>(surface, 0, cudaBoundaryModeClamp); break;
  case 2: *out = surf2Dread<int>(surface, 0, 0, cudaBoundaryModeZero); break;
  case 3: surf3Dwrite(7, surface, 0, 0, 0, cudaBoundaryModeClamp); break;
  case 4: surf1DLayeredwrite(7, surface, 0, 0, cudaBoundaryModeZero); break;
  default: *out = surfCubemapread<int>(surface, 0, 0, 0);
  }
}
static void with_another_shape(int instruction, int *out) {
  const struct { cudaExtent size; unsigned flags; } shapes[] = {
      {{4, 4, 0}, 0}, {{4, 0, 0}, 0}, {{4, 4, 2}, cudaArrayLayered}, {{4, 4, 2}, cudaArrayLayered}, {{4, 4, 6}, 0}};
  const auto &shape = shapes[instruction - 1];
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CHECK(cudaMalloc3DArray(&array, &format, shape.size, shape.flags | cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  other_shape<<<1, 1>>>(surface, instruction, out);
}
static cudaSurfaceObject_t surface_of(int width, int height) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaMallocArray(&resource.res.array.array, &format, width, height));
  expect(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue, "not made for surfaces");
  CHECK(cudaMallocArray(&resource.res.array.array, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}
static void many() {
  int *device;
  float milliseconds = 0;
  cudaEvent_t start, stop;
  CHECK(cudaMalloc(&device, 64));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < 50; ++i) {
    mark<<<1, 32>>>(device);
    mark<<<1, 2048>>>(device);
  }
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  printf("%s\n", milliseconds > 0 ? "took time" : "took none");
}

int main(int argc, char **argv) {
  void *memory = NULL;
  switch (argc > 1 ? argv[1][0] : 'f') {
  case 'f': free_host(); break;
  case 'c': codes(); break;
  case 't': textures(); break;
  case 'e': chosen(); break;
  case 'i': many(); break;
  case 'g': many(); expect(cudaGetLastError(), cudaErrorInvalidConfiguration, "asked for"); break;
  default:
    CHECK(cudaMalloc(&memory, 256));
    int limits[2] = {38, 0};
    CHECK(cudaMemcpy(memory, limits, sizeof limits, cudaMemcpyHostToDevice));
    switch (argv[1][0]) {
    case 'a': lower<<<dim3(1, 1), dim3(8, 5)>>>((int *)memory, (int *)memory + 8); lower<<<1, 40>>>((int *)memory, (int *)memory + 8); break;
    case 'o': outside<<<1, 1>>>(surface_of(4, 4), 4); break;
    case 'd': with_another_shape(argv[1][1] - '0', (int *)memory); break;
    case 's': stop<<<1, 1>>>(); break;
    case 'm': shift<<<1, 1>>>((char *)memory); break;
    default: for (int i = 0; i < 4; ++i) mark<<<1, 1>>>((int *)memory);
    }
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
