// Memory: shared arrays of all kinds, vectors, structures by value and in memory, constants, local arrays.
#include "features.h"

// One dynamic array, carved into several of other types.
__global__ void carved(const float *in, float *out, int n) {
  extern __shared__ char pool[];
  float *floats = (float *)pool;
  int *ints = (int *)&floats[n];
  unsigned char *bytes = (unsigned char *)&ints[n];
  short *shorts = (short *)(bytes + n);
  int t = threadIdx.x;
  floats[t] = in[t];
  ints[t] = 3 * t;
  bytes[t] = t + 200;
  shorts[t] = (short)(-t);
  __syncthreads();
  int o = n - 1 - t;
  out[t] = floats[o] + ints[o] + bytes[o] + shorts[o];
}
FEATURE(carved, "dynamic shared memory carved into arrays of several types") {
  auto in = random_values<float>(64, 1000);
  Device<float> d_in(in), d_out(64);
  carved<<<1, 64, 64 * (4 + 4 + 1 + 2)>>>(d_in, d_out, 64);
  std::vector<float> expected(64);
  for (int t = 0; t < 64; ++t) {
    int o = 63 - t;
    expected[t] = in[o] + 3 * o + (unsigned char)(o + 200) - o;
  }
  return differences(d_out.host(), expected);
}

struct Particle {
  float3 position;
  int kind;
  double weight;
  char tag[3];
};
struct __align__(16) Cell {
  float rho, e;
  short2 at;
  uchar4 colour;
};
__global__ void shared_structures(const Particle *in, Particle *out, Cell *cells) {
  __shared__ Particle tile[32];
  __shared__ Cell cell[2][16];
  __shared__ float plane[16][17];
  int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 32 + t];
  cell[t / 16][t % 16].rho = t;
  cell[t / 16][t % 16].at = make_short2(t, -t);
  cell[t / 16][t % 16].colour = make_uchar4(t, t + 1, t + 2, t + 3);
  for (int row = t / 16; row < 16; row += 2)
    plane[row][t % 16] = row * 100 + t % 16;
  __syncthreads();
  Particle p = tile[31 - t];
  p.position.x += plane[t % 16][t / 2];
  p.weight *= 2;
  p.tag[1] = p.tag[0] + p.tag[2];
  Cell c = cell[1 - t / 16][t % 16];
  c.e = c.rho * 2;
  out[blockIdx.x * 32 + t] = p;
  cells[blockIdx.x * 32 + t] = c;
}
FEATURE(shared_structures, "several shared arrays of structures with nested arrays, float3, double, padded 2D") {
  std::vector<Particle> in(64), expected(64);
  std::vector<Cell> cells(64);
  for (int i = 0; i < 64; ++i)
    in[i] = {{i * 1.5f, 2.0f * i, 3.0f}, i, i * 0.25, {(char)i, 0, (char)(2 * i)}};
  Device<Particle> d_in(in), d_out(64);
  Device<Cell> d_cells(64);
  shared_structures<<<2, 32>>>(d_in, d_out, d_cells);
  auto out = d_out.host();
  auto found = d_cells.host();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    int t = i % 32, o = i - t + 31 - t, c = (1 - t / 16) * 16 + t % 16;
    wrong += out[i].position.x != in[o].position.x + t % 16 * 100 + t / 2 || out[i].weight != 2 * in[o].weight || out[i].kind != o;
    wrong += out[i].tag[1] != (char)(in[o].tag[0] + in[o].tag[2]) || out[i].position.y != in[o].position.y;
    wrong += found[i].e != 2 * c || found[i].at.y != -c || found[i].colour.w != c + 3;
  }
  return wrong;
}

__global__ void vectors(const float4 *a, const int2 *b, const uchar4 *c, const double2 *d, const short4 *e, const float2 *f, float4 *out) {
  int i = threadIdx.x;
  float4 x = a[i];
  int2 y = b[i];
  uchar4 z = c[i];
  double2 w = d[i];
  short4 s = e[i];
  float2 g = f[i];
  out[i] = make_float4(x.x + y.x + z.x + s.w, x.y * y.y + z.y + g.x, (float)(w.x + w.y) + z.z + s.x, x.w + z.w + g.y);
}
__global__ void aligned_copy(const longlong2 *a, longlong2 *b, const uint3 *c, uint3 *d, const char3 *e, char3 *f) {
  int i = threadIdx.x;
  b[i] = a[i];
  d[i] = c[31 - i];
  f[i] = e[31 - i];
}
FEATURE(vectors, "vector types in memory: float4, int2, uchar4, double2, short4, longlong2, uint3, char3 (SDK alignedTypes)") {
  std::vector<float4> a(32), expected(32);
  std::vector<int2> b(32);
  std::vector<uchar4> c(32);
  std::vector<double2> d(32);
  std::vector<short4> e(32);
  std::vector<float2> f(32);
  std::vector<longlong2> l(32);
  std::vector<uint3> u(32), u_expected(32);
  std::vector<char3> h(32), h_expected(32);
  for (int i = 0; i < 32; ++i) {
    a[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    b[i] = make_int2(-i, 5);
    c[i] = make_uchar4(8 * i, 255 - i, i, 128 + i);
    d[i] = make_double2(0.5 * i, 0.25 * i);
    e[i] = make_short4(-300 * i, 1, 2, 1000 - i);
    f[i] = make_float2(0.125f * i, -i);
    l[i] = longlong2{i * 1000000007LL * 13, -i};
    u[i] = make_uint3(i, i + 1, i + 2);
    h[i] = make_char3(i, -i, 2 * i);
  }
  for (int i = 0; i < 32; ++i) {
    expected[i] = make_float4(a[i].x + b[i].x + c[i].x + e[i].w, a[i].y * b[i].y + c[i].y + f[i].x, (float)(d[i].x + d[i].y) + c[i].z + e[i].x, a[i].w + c[i].w + f[i].y);
    u_expected[i] = u[31 - i];
    h_expected[i] = h[31 - i];
  }
  Device<float4> d_a(a), d_out(32);
  Device<int2> d_b(b);
  Device<uchar4> d_c(c);
  Device<double2> d_d(d);
  Device<short4> d_e(e);
  Device<float2> d_f(f);
  Device<longlong2> d_l(l), d_l2(32);
  Device<uint3> d_u(u), d_u2(32);
  Device<char3> d_h(h), d_h2(32);
  vectors<<<1, 32>>>(d_a, d_b, d_c, d_d, d_e, d_f, d_out);
  aligned_copy<<<1, 32>>>(d_l, d_l2, d_u, d_u2, d_h, d_h2);
  return differences(d_out.host(), expected) + differences(d_l2.host(), l) + differences(d_u2.host(), u_expected) + differences(d_h2.host(), h_expected);
}

// A large structure by value: sizes, pointers, arrays inside, indexed with what is not known.
struct Public {
  int sizes[3];
  float weights[8];
  const float *in[4];
  float *out;
  struct {
    short first;
    unsigned char flags[5];
    double factor;
  } inner;
};
__global__ void by_value(Public p, float3 shift, uchar4 bytes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *from = p.in[i & 3];
  p.out[i] = from[i] * p.weights[i & 7] + p.sizes[i % 3] + p.inner.flags[i % 5] + (float)p.inner.factor + p.inner.first + shift.y + bytes.z;
}
FEATURE(by_value, "large structures by value: nested arrays at dynamic places, many pointers (Rodinia heartwall, leukocyte)") {
  std::vector<std::vector<float>> in(4);
  Public p = {{10, 20, 30}, {1, 2, 3, 4, 5, 6, 7, 8}, {}, nullptr, {-7, {1, 2, 3, 4, 5}, 0.5}};
  Device<float> d0(random_values<float>(100, 100, 1)), d1(random_values<float>(100, 100, 2)), d2(random_values<float>(100, 100, 3)), d3(random_values<float>(100, 100, 4)), out(100);
  const Device<float> *all[] = {&d0, &d1, &d2, &d3};
  for (int k = 0; k < 4; ++k) {
    in[k] = all[k]->host();
    p.in[k] = *all[k];
  }
  p.out = out;
  by_value<<<2, 64>>>(p, make_float3(1, 2, 3), make_uchar4(1, 2, 250, 4), 100);
  std::vector<float> expected(100);
  for (int i = 0; i < 100; ++i)
    expected[i] = in[i & 3][i] * p.weights[i & 7] + p.sizes[i % 3] + p.inner.flags[i % 5] + 0.5f - 7 + 2 + 250;
  return differences(out.host(), expected);
}

struct Table {
  float values[900];
  unsigned char kinds[300];
  short offsets[40];
  long long far[4];
  char2 pairs[10];
};
__global__ void large_parameters(Table table, int scale, Table other, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = table.values[i * 7 % 900] * scale + table.kinds[i % 300] + other.offsets[i % 40] + (float)(other.far[i & 3] >> 32) +
           other.pairs[i % 10].y + other.values[17];
}
FEATURE(large_parameters, "parameters of more than 4 KB: two structures by value, indexed by variables") {
  const int n = 500;
  static Table table[2];
  unsigned seed = 5;
  for (Table &t : table) {
    for (float &v : t.values)
      v = (float)(random_number(seed) % 1000);
    for (unsigned char &v : t.kinds)
      v = random_number(seed);
    for (short &v : t.offsets)
      v = random_number(seed);
    for (long long &v : t.far)
      v = (long long)(random_number(seed) % 1000) << 32 | 5;
    for (char2 &v : t.pairs)
      v = make_char2(random_number(seed), random_number(seed));
  }
  Device<float> out(n);
  large_parameters<<<4, 128>>>(table[0], 3, table[1], out, n);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = table[0].values[i * 7 % 900] * 3 + table[0].kinds[i % 300] + table[1].offsets[i % 40] + (float)(table[1].far[i & 3] >> 32) +
                  table[1].pairs[i % 10].y + table[1].values[17];
  return differences(out.host(), expected);
}

struct Filter {
  int count;
  float taps[120];
  int2 at[60];
};
__device__ float tap(const Filter &filter, int i) { return filter.taps[i % filter.count] + filter.at[i % 60].y; }
__global__ void indexed_structure(Filter filter, float *out) {
  int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < i % 5 + 1; ++k)
    sum += tap(filter, i + 3 * k);
  out[i] = sum + filter.taps[0];
}
FEATURE(indexed_structure, "a structure by value of hundreds of bytes, at an index that differs from thread to thread") {
  Filter filter = {113, {}, {}};
  for (int i = 0; i < 120; ++i)
    filter.taps[i] = i * i + 1;
  for (int i = 0; i < 60; ++i)
    filter.at[i] = make_int2(i, -3 * i);
  Device<float> out(96);
  void *args[] = {&filter, &out.pointer};
  indexed_structure<<<1, 96>>>(filter, out);
  std::vector<float> expected(96), first = out.host();
  for (int i = 0; i < 96; ++i) {
    for (int k = 0; k < i % 5 + 1; ++k)
      expected[i] += filter.taps[(i + 3 * k) % 113] + filter.at[(i + 3 * k) % 60].y;
    expected[i] += filter.taps[0];
  }
  // By pointers to the arguments, too.
  filter.count = 1;
  cudaLaunchKernel((const void *)indexed_structure, dim3(1), dim3(96), args, 0, 0);
  std::vector<float> second(96), found = out.host();
  for (int i = 0; i < 96; ++i) {
    for (int k = 0; k < i % 5 + 1; ++k)
      second[i] += filter.taps[0] + filter.at[(i + 3 * k) % 60].y;
    second[i] += filter.taps[0];
  }
  return differences(first, expected) + differences(found, second);
}

// A function that is called, not inlined: its parameter is at an address that is computed.
__device__ __noinline__ float weighed(Filter filter, int i, float3 by) {
  float sum = by.x * i;
  for (int k = i % 7; k < 40; k += 5)
    sum += filter.taps[k] * by.y + filter.at[(k + i) % 60].x;
  return sum + by.z;
}
__global__ void structure_of_function(Filter filter, float *out) {
  int i = threadIdx.x;
  filter.taps[i % 120] = -1;
  out[i] = weighed(filter, i, make_float3(1, 2, i));
}
FEATURE(structure_of_function, "a structure by value that a function gets and indexes by a variable (SDK dxtc)") {
  Filter filter = {0, {}, {}};
  for (int i = 0; i < 120; ++i)
    filter.taps[i] = i + 1;
  for (int i = 0; i < 60; ++i)
    filter.at[i] = make_int2(5 * i, 0);
  Device<float> out(64);
  structure_of_function<<<1, 64>>>(filter, out);
  std::vector<float> expected(64);
  for (int i = 0; i < 64; ++i) {
    Filter own = filter;
    own.taps[i % 120] = -1;
    expected[i] = i;
    for (int k = i % 7; k < 40; k += 5)
      expected[i] += own.taps[k] * 2 + own.at[(k + i) % 60].x;
    expected[i] += i;
  }
  return differences(out.host(), expected);
}

union Word {
  float f;
  unsigned u;
  unsigned char b[4];
  struct { unsigned mantissa : 23, exponent : 8, sign : 1; } bits;
};
struct Packed {
  unsigned kind : 3, colour : 5;
  int level : 10;
  unsigned rest : 14;
};
__global__ void unions(const float *in, unsigned *out, Packed *packed) {
  int i = threadIdx.x;
  Word w;
  w.f = in[i];
  unsigned result = w.bits.exponent << 8 | w.bits.sign;
  w.b[i & 3] ^= 0x5a;
  Packed p = packed[i];
  p.level += 7;
  p.colour = p.kind + 1;
  packed[i] = p;
  out[i] = result + w.u;
}
FEATURE(unions, "unions with bytes at dynamic places, bit fields") {
  std::vector<float> in(32);
  std::vector<Packed> packed(32), expected_packed(32);
  std::vector<unsigned> expected(32);
  for (int i = 0; i < 32; ++i) {
    in[i] = (i - 16) * 0.37f;
    packed[i] = expected_packed[i] = {(unsigned)i & 7, (unsigned)i & 31, i * 13 - 200, (unsigned)i * 77};
    expected_packed[i].level += 7;
    expected_packed[i].colour = packed[i].kind + 1;
    unsigned bits;
    memcpy(&bits, &in[i], 4);
    expected[i] = ((bits >> 23 & 255) << 8 | bits >> 31) + (bits ^ 0x5au << (i & 3) * 8);
  }
  Device<float> d_in(in);
  Device<unsigned> d_out(32);
  Device<Packed> d_packed(packed);
  unions<<<1, 32>>>(d_in, d_out, d_packed);
  return differences(d_out.host(), expected) + differences(d_packed.host(), expected_packed);
}

struct Atom { float x, y, z, q; };
struct Setup { int2 size; float scale[3]; double d; };
__constant__ float coefficients[9];
__constant__ Atom atoms[64];
__constant__ Setup setup;
__constant__ unsigned char table[256];
__constant__ int initialised[4] = {3, 1, 4, 1};
__constant__ const float *constant_pointer;
__device__ int device_table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ float device_result;
__device__ const char text[] = "warp";
__global__ void constants(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int a = 0; a < n; ++a) {
    float dx = i - atoms[a].x, dy = setup.scale[1] - atoms[a].y;
    sum += atoms[a].q * (dx * dx + dy * dy);
  }
  sum += coefficients[i % 9] + table[(i * 37) & 255] + initialised[i & 3] + device_table[i & 1][i % 3] + (float)setup.d + setup.size.y + constant_pointer[i] + text[i & 3];
  out[i] = sum;
  if (i == 5)
    device_result = sum;
}
FEATURE(constants, "__constant__ arrays of structures, structures, bytes, pointers, with and without values; __device__ variables (Parboil cutcp, ISPASS CP)") {
  float c[9];
  Atom a[64];
  unsigned char bytes[256];
  Setup s = {{3, 4}, {0.5f, 1.5f, 2.5f}, 0.125};
  for (int i = 0; i < 9; ++i) c[i] = i * i;
  for (int i = 0; i < 64; ++i) a[i] = {(float)i, (float)(i % 5), 0, (float)(i & 3)};
  for (int i = 0; i < 256; ++i) bytes[i] = i * 3;
  auto numbers = random_values<float>(64, 100);
  Device<float> d_numbers(numbers), out(64);
  const float *pointer = d_numbers;
  cudaMemcpyToSymbol(coefficients, c, sizeof c);
  cudaMemcpyToSymbol(atoms, a, 32 * sizeof(Atom));
  cudaMemcpyToSymbol(atoms, a + 32, 32 * sizeof(Atom), 32 * sizeof(Atom), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(setup, &s, sizeof s);
  cudaMemcpyToSymbol(table, bytes, sizeof bytes);
  cudaMemcpyToSymbol(constant_pointer, &pointer, sizeof pointer);
  constants<<<2, 32>>>(out, 40);
  const int first[4] = {3, 1, 4, 1}, second[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::vector<float> expected(64);
  for (int i = 0; i < 64; ++i) {
    float sum = 0;
    for (int k = 0; k < 40; ++k) {
      float dx = i - a[k].x, dy = s.scale[1] - a[k].y;
      sum += a[k].q * (dx * dx + dy * dy);
    }
    expected[i] = sum + (c[i % 9] + bytes[(i * 37) & 255] + first[i & 3] + second[i & 1][i % 3] + 0.125f + 4 + numbers[i] + "warp"[i & 3]);
  }
  float result = 0;
  cudaMemcpyFromSymbol(&result, device_result, sizeof result);
  return far_off(out.host(), expected, 1e-5) + !close_to(result, expected[5], 1e-5);
}

// Local arrays at places that are not known, as LIBOR's and sorts within a thread.
__constant__ float lambda[8];
__global__ void local_arrays(const float *z, float *out, int maturity, int n) {
  float rate[16], b[16], L_b[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    rate[k] = 0.05f + 0.01f * z[i * 16 + k];
  for (int step = 0; step < maturity; ++step) {
    float v = 0;
    for (int k = step + 1; k < n; ++k) {
      float con = 0.25f * lambda[(k - step - 1) & 7];
      v += con * rate[k] / (1 + 0.25f * rate[k]);
      rate[k] += con * v;
    }
  }
  float product = 1, sum = 0;
  for (int k = maturity; k < n; ++k) {
    product /= 1 + 0.25f * rate[k];
    b[k - maturity] = product;
    sum += 0.25f * product;
    L_b[(k * 7 + i) & 15] = sum;
  }
  int which = (int)z[i * 16] % (n - maturity);
  L_b[which] = 1;
  out[i] = b[which] + L_b[(maturity * 7 + i) & 15] + sum;
}
FEATURE(local_arrays, "local arrays with dynamic indices (ISPASS LIB, Monte Carlo)") {
  float l[8];
  for (int i = 0; i < 8; ++i) l[i] = 0.1f + 0.02f * i;
  cudaMemcpyToSymbol(lambda, l, sizeof l);
  auto z = random_values<float>(64 * 16, 8);
  Device<float> d_z(z), d_out(64);
  local_arrays<<<2, 32>>>(d_z, d_out, 4, 16);
  std::vector<float> expected(64);
  for (int i = 0; i < 64; ++i) {
    float rate[16], b[16], L_b[16];
    for (int k = 0; k < 16; ++k) rate[k] = 0.05f + 0.01f * z[i * 16 + k];
    for (int step = 0; step < 4; ++step) {
      float v = 0;
      for (int k = step + 1; k < 16; ++k) {
        float con = 0.25f * l[(k - step - 1) & 7];
        v += con * rate[k] / (1 + 0.25f * rate[k]);
        rate[k] += con * v;
      }
    }
    float product = 1, sum = 0;
    for (int k = 4; k < 16; ++k) {
      product /= 1 + 0.25f * rate[k];
      b[k - 4] = product;
      sum += 0.25f * product;
      L_b[(k * 7 + i) & 15] = sum;
    }
    int which = (int)z[i * 16] % 12;
    L_b[which] = 1;
    expected[i] = b[which] + L_b[(28 + i) & 15] + sum;
  }
  return far_off(d_out.host(), expected, 1e-5);
}

// Pointers that may be of any space, volatile and restrict, pointers to pointers, pointers in structures in memory.
struct Node { Node *next; int value; };
__device__ int sum_of(const int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p[i];
  return sum;
}
__device__ __noinline__ void add_to(int *p, int x) { *p += x; }
__global__ void pointers(int **rows, Node *list, const int *__restrict__ in, volatile int *flag, int *out) {
  __shared__ int shared[32];
  int own[4], t = threadIdx.x;
  shared[t] = in[t];
  for (int k = 0; k < 4; ++k)
    own[k] = in[(t + k) & 31];
  __syncthreads();
  int *any = t % 3 == 0 ? shared : t % 3 == 1 ? own : rows[t & 1];
  int sum = sum_of(any, 4);
  add_to(t & 1 ? &own[t & 3] : &out[t], 100);
  for (Node *node = list + t % 5; node; node = node->next)
    sum += node->value;
  if (t == 0)
    *flag = 17;
  out[t] += sum + own[t & 3] + __ldg(in + t);
}
FEATURE(pointers, "generic pointers to shared, local and global memory, pointers to pointers, lists in memory, restrict, volatile") {
  auto in = random_values<int>(32, 100), row = random_values<int>(8, 50, 7);
  Device<int> d_in(in), d_row(row), d_flag(1), d_out(32);
  std::vector<int *> rows = {d_row, d_row + 4};
  Device<int *> d_rows(rows);
  Device<Node> d_list(5);
  std::vector<Node> list(5);
  for (int i = 0; i < 5; ++i) list[i] = {i < 4 ? d_list + i + 1 : nullptr, 10 * i + 1};
  cudaMemcpy(d_list, list.data(), 5 * sizeof(Node), cudaMemcpyHostToDevice);
  pointers<<<1, 32>>>(d_rows, d_list, d_in, d_flag, d_out);
  std::vector<int> expected(32);
  for (int t = 0; t < 32; ++t) {
    int own[4], sum = 0;
    for (int k = 0; k < 4; ++k) own[k] = in[(t + k) & 31];
    for (int k = 0; k < 4; ++k) sum += t % 3 == 0 ? in[k] : t % 3 == 1 ? own[k] : row[4 * (t & 1) + k];
    for (int k = t % 5; k < 5; ++k) sum += list[k].value;
    expected[t] = sum + own[t & 3] + 100 + in[t];
  }
  return differences(d_out.host(), expected) + (d_flag.host()[0] != 17);
}

// Bytes and halves of words, from and to shared memory.
__global__ void bytes(const unsigned char *in, unsigned char *out, const short *s_in, unsigned short *s_out, signed char *c_out, bool *b_out) {
  __shared__ unsigned char tile[66];
  int t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t == 0) {
    tile[0] = in[0];
    tile[65] = in[63];
  }
  __syncthreads();
  out[t] = (unsigned char)((tile[t] + 2 * tile[t + 1] + tile[t + 2]) >> 2);
  s_out[t] = (unsigned short)(s_in[t] * 3 >> 1);
  c_out[t] = (signed char)(in[t] - s_in[t]);
  b_out[t] = in[t] > 100;
}
FEATURE(bytes, "bytes, halves of words and truth values in global and shared memory") {
  auto in = random_values<unsigned char>(64, 256);
  auto s = random_values<short>(64, 65536);
  Device<unsigned char> d_in(in), d_out(64);
  Device<short> d_s(s);
  Device<unsigned short> d_s_out(64);
  Device<signed char> d_c(64);
  Device<unsigned char> d_b(64);
  bytes<<<1, 64>>>(d_in, d_out, d_s, d_s_out, d_c, (bool *)d_b.pointer);
  auto out = d_out.host();
  auto s_out = d_s_out.host();
  auto c_out = d_c.host();
  auto b_out = d_b.host();
  int wrong = 0;
  for (int t = 0; t < 64; ++t) {
    wrong += out[t] != ((in[t ? t - 1 : 0] + 2 * in[t] + in[t < 63 ? t + 1 : 63]) >> 2) || s_out[t] != (unsigned short)(s[t] * 3 >> 1);
    wrong += c_out[t] != (signed char)(in[t] - s[t]) || b_out[t] != (in[t] > 100);
  }
  return wrong;
}

// Transposes through shared memory, with an unused column, with swapped blocks.
template <class T, int TILE, int ROWS> __global__ void transpose(const T *in, T *out, int width, int height) {
  __shared__ T tile[TILE][TILE + 1];
  int block = blockIdx.x + gridDim.x * blockIdx.y, by = block % gridDim.y, bx = ((block / gridDim.y) + by) % gridDim.x;
  int x = bx * TILE + threadIdx.x, y = by * TILE + threadIdx.y;
  #pragma unroll
  for (int i = 0; i < TILE; i += ROWS)
    tile[threadIdx.y + i][threadIdx.x] = in[x + (y + i) * width];
  __syncthreads();
  x = by * TILE + threadIdx.x;
  y = bx * TILE + threadIdx.y;
  #pragma unroll
  for (int i = 0; i < TILE; i += ROWS)
    out[x + (y + i) * height] = tile[threadIdx.x][threadIdx.y + i];
}
template <class T> int transposed() {
  auto in = random_values<T>(32 * 16, 100);
  Device<T> d_in(in), d_out(32 * 16);
  transpose<T, 16, 4><<<dim3(2, 1), dim3(16, 4)>>>(d_in, d_out, 32, 16);
  auto out = d_out.host();
  int wrong = 0;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x)
      wrong += out[x * 16 + y] != in[y * 32 + x];
  return wrong;
}
FEATURE(transpose, "transposition through padded shared memory, diagonal blocks, template over type and tile (SDK transpose)") {
  return transposed<float>() + transposed<int>() + transposed<double>();
}
