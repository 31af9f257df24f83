// The language: templates, functors, lambdas, classes, recursion, calls through tables, jumps, barriers behind early returns, printf, assertions.
#include "features.h"
#include <cassert>

#define BOTH __host__ __device__

// Functors and lambdas as arguments of templates, in a namespace, with constexpr and auto.
namespace algorithm {
template <class T> struct Plus { BOTH T operator()(T a, T b) const { return a + b; } };
template <class T> struct Maximum { BOTH T operator()(T a, T b) const { return a < b ? b : a; } };
struct Scaled {
  float by;
  BOTH float operator()(float a) const { return by * a; }
};
template <class T, class Unary, class Binary, int threads = 64> __global__ void transform_reduce(const T *in, T *out, int n, Unary unary, Binary binary, T start) {
  __shared__ T part[threads];
  T value = start;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    value = binary(value, unary(in[i]));
  part[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int s = threads / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      part[threadIdx.x] = binary(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}
} // namespace algorithm
FEATURE(functors, "functors as arguments of kernel templates, namespaces, default arguments of templates") {
  auto in = random_values<float>(300, 100);
  Device<float> d_in(in), d_out(2);
  algorithm::transform_reduce<<<2, 64>>>((const float *)d_in, (float *)d_out, 300, algorithm::Scaled{0.5f}, algorithm::Plus<float>(), 0.0f);
  auto sums = d_out.host();
  algorithm::transform_reduce<<<2, 64>>>((const float *)d_in, (float *)d_out, 300, algorithm::Scaled{-1}, algorithm::Maximum<float>(), -1e9f);
  auto most = d_out.host();
  float sum = 0, least = 1e9f;
  for (float x : in) {
    sum += 0.5f * x;
    least = x < least ? x : least;
  }
  return (sums[0] + sums[1] != sum) + (std::fmax(most[0], most[1]) != -least);
}

template <class F> __global__ void for_each_index(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}
constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
FEATURE(lambdas, "device lambdas that capture pointers and numbers, grid-stride loops, constexpr") {
  auto in = random_values<int>(200, 100);
  Device<int> d_in(in), d_out(200);
  int *out = d_out, offset = 7;
  const int *from = d_in;
  for_each_index<<<2, 32>>>(200, [=] __device__(int i) {
    auto square = [](auto x) { return x * x; };
    out[i] = square(from[i]) + offset + power(3, 4);
  });
  std::vector<int> e(200);
  for (int i = 0; i < 200; ++i) e[i] = in[i] * in[i] + 88;
  return differences(d_out.host(), e);
}

// Classes with members for both sides, operators, inheritance, references.
class Vec3 {
  float v[3];
public:
  BOTH Vec3(float x = 0, float y = 0, float z = 0) : v{x, y, z} {}
  BOTH float &operator[](int i) { return v[i]; }
  BOTH float operator[](int i) const { return v[i]; }
  BOTH friend Vec3 operator+(const Vec3 &a, const Vec3 &b) { return Vec3(a[0] + b[0], a[1] + b[1], a[2] + b[2]); }
  BOTH friend Vec3 operator*(float s, const Vec3 &a) { return Vec3(s * a[0], s * a[1], s * a[2]); }
  BOTH float dot(const Vec3 &o) const { return v[0] * o[0] + v[1] * o[1] + v[2] * o[2]; }
};
struct Ray { Vec3 origin, direction; };
struct Sphere { Vec3 centre; float radius; int material; };
BOTH inline bool hit(const Ray &ray, const Sphere &s, float &t) {
  Vec3 o = ray.origin + -1.0f * s.centre;
  float b = o.dot(ray.direction), c = o.dot(o) - s.radius * s.radius, d = b * b - c;
  if (d < 0) return false;
  t = -b - sqrtf(d);
  return t > 1e-3f;
}
// Reflections on a stack of our own, as ray tracers without recursion do.
BOTH inline float trace(const Sphere *spheres, int n, Ray ray, int depth) {
  Ray stack[4];
  float weight[4], colour = 0;
  int level[4], top = 0;
  stack[0] = ray; weight[0] = 1; level[0] = 0; top = 1;
  while (top > 0) {
    --top;
    Ray r = stack[top];
    float w = weight[top], nearest = 1e9f, t = 0;
    int l = level[top], which = -1;
    for (int i = 0; i < n; ++i)
      if (hit(r, spheres[i], t) && t < nearest) { nearest = t; which = i; }
    if (which < 0) { colour += w * 0.25f; continue; }
    Vec3 p = r.origin + nearest * r.direction, normal = (1 / spheres[which].radius) * (p + -1.0f * spheres[which].centre);
    float cosine = -normal.dot(r.direction);
    switch (spheres[which].material) {
    case 0: colour += w * cosine; break;
    case 1: colour += w * 0.125f;
    case 2:
      if (l + 1 < depth) {
        stack[top] = Ray{p, r.direction + (2 * cosine) * normal};
        weight[top] = 0.5f * w; level[top++] = l + 1;
      }
      break;
    default: colour -= w;
    }
  }
  return colour;
}
__global__ void ray_trace(const Sphere *spheres, int n, float *image, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  Ray ray = {Vec3(x * 0.5f - 2, y * 0.5f - 2, -5), Vec3(0, 0, 1)};
  image[y * width + x] = trace(spheres, n, ray, 4);
}
FEATURE(ray_trace, "classes with operators and references, a stack of structures in local memory, switch with a fall-through (ISPASS RAY)") {
  std::vector<Sphere> spheres = {{Vec3(0, 0, 0), 1, 2}, {Vec3(1.5f, 0.2f, 1), 1, 0}, {Vec3(-1, 1, -1), 0.7f, 1}, {Vec3(0, -1, 3), 2, 3}, {Vec3(0, 0, -9), 2, 0}};
  Device<Sphere> d(spheres);
  Device<float> image(64);
  ray_trace<<<dim3(1, 2), dim3(8, 4)>>>(d, 5, image, 8);
  std::vector<float> e(64);
  for (int i = 0; i < 64; ++i) e[i] = trace(spheres.data(), 5, {Vec3(i % 8 * 0.5f - 2, i / 8 * 0.5f - 2, -5), Vec3(0, 0, 1)}, 4);
  return far_off(image.host(), e, 1e-4);
}

// Recursion by templates, and by the program's own stack; real recursion with a depth that the compiler does not know.
template <int n> __device__ inline int factorial(int x) { return (x + n) * factorial<n - 1>(x); }
template <> __device__ inline int factorial<0>(int) { return 1; }
__global__ void template_recursion(int *out) { out[threadIdx.x] = factorial<6>(threadIdx.x); }
FEATURE(template_recursion, "recursion of templates (SDK interval)") {
  Device<int> out(32);
  template_recursion<<<1, 32>>>(out);
  std::vector<int> e(32, 1);
  for (int t = 0; t < 32; ++t)
    for (int n = 1; n <= 6; ++n) e[t] *= t + n;
  return differences(out.host(), e);
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x & 7); }
FEATURE(recursion, "recursion of device functions (Fermi and later)") {
  Device<int> out(32);
  recursion<<<1, 32>>>(out);
  const int f[8] = {0, 1, 1, 2, 3, 5, 8, 13};
  std::vector<int> e(32);
  for (int t = 0; t < 32; ++t) e[t] = f[t & 7];
  return differences(out.host(), e);
}
__device__ __noinline__ int depth_of(int n) { return n == 0 ? 0 : 1 + depth_of(n - 1); }
__global__ void deep_recursion(int *out) { out[threadIdx.x] = depth_of(300 + threadIdx.x); }
FEATURE(deep_recursion, "a deeper stack (cudaDeviceSetLimit)") {
  size_t bytes = 0;
  Device<int> out(32);
  int wrong = cudaDeviceGetLimit(&bytes, cudaLimitStackSize) != cudaSuccess || bytes != 1024;
  wrong += cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10) != cudaSuccess;
  deep_recursion<<<1, 32>>>(out);
  wrong += cudaDeviceGetLimit(&bytes, cudaLimitStackSize) != cudaSuccess || bytes != 16 << 10;
  std::vector<int> e(32);
  for (int t = 0; t < 32; ++t) e[t] = 300 + t;
  return wrong + differences(out.host(), e);
}

// Calls through pointers and virtual functions.
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[3] = {add, subtract, multiply};
__global__ void function_pointers(int *out) {
  int t = threadIdx.x;
  out[t] = operations[t % 3](t, 5);
}
FEATURE(function_pointers, "calls through a table of function pointers (SDK FunctionPointers)") {
  Device<int> out(32);
  function_pointers<<<1, 32>>>(out);
  std::vector<int> e(32);
  for (int t = 0; t < 32; ++t) e[t] = t % 3 == 0 ? t + 5 : t % 3 == 1 ? t - 5 : t * 5;
  return differences(out.host(), e);
}
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Box : Shape {
  float a, b;
  __device__ Box(float a, float b) : a(a), b(b) {}
  __device__ float area() const override { return a * b; }
};
__global__ void virtual_calls(float *out) {
  Square square(threadIdx.x);
  Box box(threadIdx.x, 2);
  const Shape *shape = threadIdx.x & 1 ? (const Shape *)&square : &box;
  out[threadIdx.x] = shape->area();
}
FEATURE(virtual_calls, "virtual functions of objects made in the kernel") {
  Device<float> out(32);
  virtual_calls<<<1, 32>>>(out);
  std::vector<float> e(32);
  for (int t = 0; t < 32; ++t) e[t] = t & 1 ? t * t : 2 * t;
  return differences(out.host(), e);
}

// Early returns before barriers, barriers in loops and under a condition of the whole block, goto, switch tables, loops that part threads.
__global__ void early_returns(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();
  if (blockIdx.x & 1)
    for (int k = 0; k < 3; ++k) {
      int t = s[(threadIdx.x + 1) % min(64, n - (int)(blockIdx.x * blockDim.x))];
      __syncthreads();
      s[threadIdx.x] = t;
      __syncthreads();
    }
  if (in[i] % 5 == 0) return;
  out[i] = s[threadIdx.x];
}
FEATURE(early_returns, "returns before barriers, barriers in loops under a condition of the whole block") {
  auto in = random_values<int>(150, 1000);
  Device<int> d_in(in), d_out(150);
  early_returns<<<3, 64>>>(d_in, d_out, 150);
  std::vector<int> e(150);
  for (int i = 0; i < 150; ++i) {
    int b = i / 64, n = b == 2 ? 22 : 64;
    if (in[i] % 5) e[i] = in[b * 64 + (i % 64 + (b & 1) * 3) % n];
  }
  return differences(d_out.host(), e);
}
BOTH inline int steps(int x) {
  int count = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    if (++count > 60) break;
    if (count % 9 == 8) continue;
    count += x % 7 == 3;
  }
  return count;
}
BOTH inline int machine(int x, int y) {
  switch (x & 15) {
  case 0: return y;
  case 1: y += 3;
  case 2: y *= 2; break;
  case 3: y ^= x; break;
  case 4: y -= 100; break;
  case 5: y = -y; break;
  case 6: y = y << 3 | x; break;
  case 7: goto seven;
  case 8: y %= 17; break;
  case 11: y = y > 0 ? x : y; break;
  case 13: y += x * x; break;
  default: y = 1;
  }
  if (y & 1) goto out;
again:
  y += 5;
  if (y < 40) goto again;
seven:
  y -= 2;
out:
  return y;
}
__global__ void control_flow(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  int y = steps(x + 1);
  do { y = machine(x, y); x >>= 3; } while (x);
  out[i] = y;
}
FEATURE(control_flow, "divergent loops with break and continue, switch tables, goto") {
  auto in = random_values<int>(128, 100000);
  Device<int> d_in(in), d_out(128);
  control_flow<<<2, 64>>>(d_in, d_out);
  std::vector<int> e(128);
  for (int i = 0; i < 128; ++i) {
    int x = in[i], y = steps(x + 1);
    do { y = machine(x, y); x >>= 3; } while (x);
    e[i] = y;
  }
  return differences(d_out.host(), e);
}

// Grids and blocks in three dimensions, bounds on launches, names for C, clocks.
extern "C" __global__ void __launch_bounds__(64, 2) three_dimensions(int *out, clock_t *times) {
  clock_t start = clock();
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x + 10 * y + 100 * z + 1000 * (threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y);
  long long wide = clock64();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0)
    times[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = clock() >= start || wide ? 1 : 0;
}
FEATURE(three_dimensions, "grids and blocks in three dimensions, __launch_bounds__, extern \"C\", clock and clock64") {
  Device<int> d(8 * 6 * 4);
  Device<clock_t> times(8);
  three_dimensions<<<dim3(2, 2, 2), dim3(4, 3, 2)>>>(d, times);
  std::vector<int> e(8 * 6 * 4);
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 8; ++x) e[(z * 6 + y) * 8 + x] = x + 10 * y + 100 * z + 1000 * (x % 4 + y % 3 * 4 + z % 2 * 12);
  return differences(d.host(), e) + differences(times.host(), std::vector<clock_t>(8, 1));
}

__global__ void prints(const int *in) {
  assert(in[threadIdx.x] >= 0);
  if (threadIdx.x % 16 == 3)
    printf("block %d thread %u: %d %.2f %s %lld %c %x\n", blockIdx.x, threadIdx.x, in[threadIdx.x], 0.5 * in[threadIdx.x], "text", 1ll << 40, 'z', 255);
}
FEATURE(prints, "printf and assert in kernels (SDK simplePrintf, simpleAssert)") {
  std::vector<int> in(32, 5);
  Device<int> d(in);
  prints<<<2, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess;
}

// Opaque pointers, kernels chosen by the host, launches from tables, the old way to launch.
__global__ void fill_bytes(void *p, char value, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) ((char *)p)[i] = value;
}
template <int step> __global__ void stepped(void *p, int n) {
  int *data = static_cast<int *>(p);
  if (threadIdx.x * step < n) data[threadIdx.x * step] += step;
}
FEATURE(opaque, "opaque pointers, kernels in tables of the host, cudaLaunchKernel") {
  Device<int> d(64);
  fill_bytes<<<1, 32>>>(d, 1, 256);
  void (*kernels[])(void *, int) = {stepped<1>, stepped<2>, stepped<4>};
  for (auto kernel : kernels) kernel<<<1, 64>>>(d, 64);
  void *p = d;
  int n = 64;
  void *args[] = {&p, &n};
  cudaLaunchKernel(stepped<8>, dim3(1), dim3(64), args, 0, 0);
  std::vector<int> e(64);
  for (int i = 0; i < 64; ++i) e[i] = 0x01010101 + 1 + (i % 2 ? 0 : 2) + (i % 4 ? 0 : 4) + (i % 8 ? 0 : 8);
  return differences(d.host(), e);
}

// Abstract classes: their tables have places for functions that they leave to others.
template <class T> struct Body {
  T *log = nullptr;
  __device__ Body() {}
  // Here the table is that of the abstract class.
  __device__ virtual __noinline__ ~Body() { if (log) *log = 1; }
  __device__ virtual T area() const = 0;
  __device__ virtual void grow(T by) = 0;
};
template <class T> struct Plate : Body<T> {
  T side;
  __device__ Plate(T side) : side(side) {}
  __device__ T area() const override { return side * side; }
  __device__ void grow(T by) override { side += by; }
};
template <class T> struct Rod : Body<T> {
  T *length;
  // What allocates sees the table of the base class.
  __device__ Rod(T of) : length(new T[1]) { *length = of; }
  __device__ ~Rod() { delete[] length; }
  __device__ T area() const override { return 3 * *length; }
  __device__ void grow(T by) override { *length *= by; }
};
__global__ void make_bodies(Body<int> **bodies) {
  int i = threadIdx.x;
  if (i % 3)
    bodies[i] = new Plate<int>(i);
  else
    bodies[i] = new Rod<int>(i);
}
__global__ void measure_bodies(Body<int> **bodies, int *out) {
  int i = threadIdx.x;
  bodies[i]->grow(2);
  out[i] = bodies[i]->area();
  delete bodies[i];
}
FEATURE(abstract_classes, "objects of abstract classes, made by one kernel and used by another (SDK newdelete)") {
  Device<Body<int> *> bodies(48);
  Device<int> out(48);
  make_bodies<<<1, 48>>>(bodies);
  measure_bodies<<<1, 48>>>(bodies, out);
  std::vector<int> expected(48);
  for (int i = 0; i < 48; ++i)
    expected[i] = i % 3 ? (i + 2) * (i + 2) : 6 * i;
  return differences(out.host(), expected);
}
