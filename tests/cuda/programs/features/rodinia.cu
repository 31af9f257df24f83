// Idioms of Rodinia and PolyBench: each kernel is our own, small, and does what theirs do in the same way.
#include "features.h"

#define BLOCK 16
#define FP float

// Needleman-Wunsch: a tile of a score matrix in shared memory, diagonals under a condition, a macro for the index.
__device__ __host__ int maximum(int a, int b, int c) {
  int k;
  if (a <= b) k = b; else k = a;
  if (k <= c) return c; else return k;
}
#define SCORE(y, x) temp[(y)][(x)]
__global__ void wavefront(const int *reference, int *scores, int cols, int penalty, int i, int width) {
  int bx = blockIdx.x, tx = threadIdx.x, b_x = bx, b_y = i - 1 - bx;
  int index = cols * BLOCK * b_y + BLOCK * b_x + tx + cols + 1, index_n = cols * BLOCK * b_y + BLOCK * b_x + tx + 1;
  int index_w = cols * BLOCK * b_y + BLOCK * b_x + cols, index_nw = cols * BLOCK * b_y + BLOCK * b_x;
  __shared__ int temp[BLOCK + 1][BLOCK + 1];
  __shared__ int ref[BLOCK][BLOCK];
  if (tx == 0) SCORE(tx, 0) = scores[index_nw];
  for (int ty = 0; ty < BLOCK; ty++) ref[ty][tx] = reference[index + cols * ty];
  __syncthreads();
  SCORE(tx + 1, 0) = scores[index_w + cols * tx];
  __syncthreads();
  SCORE(0, tx + 1) = scores[index_n];
  __syncthreads();
  for (int m = 0; m < BLOCK; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      SCORE(y, x) = maximum(SCORE(y - 1, x - 1) + ref[y - 1][x - 1], SCORE(y, x - 1) - penalty, SCORE(y - 1, x) - penalty);
    }
    __syncthreads();
  }
  for (int m = BLOCK - 2; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + BLOCK - m, y = BLOCK - tx;
      SCORE(y, x) = maximum(SCORE(y - 1, x - 1) + ref[y - 1][x - 1], SCORE(y, x - 1) - penalty, SCORE(y - 1, x) - penalty);
    }
    __syncthreads();
  }
  for (int ty = 0; ty < BLOCK; ty++) scores[index + ty * cols] = SCORE(ty + 1, tx + 1);
}
FEATURE(wavefront, "nw: tiles of a matrix by diagonals, 2D shared arrays, macros for indices") {
  const int n = 33;
  auto ref = random_values<int>(n * n, 20);
  std::vector<int> s(n * n);
  for (int &r : ref) r -= 10;
  for (int k = 0; k < n; ++k) s[k] = s[k * n] = -10 * k;
  Device<int> d_ref(ref), d_s(s);
  for (int i = 1; i <= 2; ++i) wavefront<<<i, BLOCK>>>(d_ref, d_s, n, 10, i, 2);
  for (int y = 1; y < n; ++y)
    for (int x = 1; x < n; ++x) s[y * n + x] = maximum(s[(y - 1) * n + x - 1] + ref[y * n + x], s[y * n + x - 1] - 10, s[(y - 1) * n + x] - 10);
  auto out = d_s.host();
  int wrong = 0;
  for (int y = 1; y < n; ++y)
    for (int x = 1; x < n; ++x) wrong += (y <= 16 || x <= 16) && out[y * n + x] != s[y * n + x];
  return wrong;
}

// LU of a tile: the diagonal in shared memory, rows and columns with two halves of a block.
__global__ void lud_diagonal(float *m, int dim, int offset) {
  __shared__ float shadow[BLOCK][BLOCK];
  int array_offset = offset * dim + offset;
  for (int i = 0; i < BLOCK; i++) { shadow[i][threadIdx.x] = m[array_offset + threadIdx.x]; array_offset += dim; }
  __syncthreads();
  for (int i = 0; i < BLOCK - 1; i++) {
    if (threadIdx.x > i) {
      for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
      shadow[threadIdx.x][i] /= shadow[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i)
      for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
    __syncthreads();
  }
  array_offset = (offset + 1) * dim + offset;
  for (int i = 1; i < BLOCK; i++) { m[array_offset + threadIdx.x] = shadow[i][threadIdx.x]; array_offset += dim; }
}
__global__ void lud_perimeter(float *m, int dim, int offset) {
  __shared__ float dia[BLOCK][BLOCK], row[BLOCK][BLOCK], col[BLOCK][BLOCK];
  int idx = threadIdx.x < BLOCK ? threadIdx.x : threadIdx.x - BLOCK;
  bool upper = threadIdx.x < BLOCK;
  for (int i = 0; i < BLOCK; i++) {
    dia[i][idx] = m[(offset + i) * dim + offset + idx];
    if (upper) row[i][idx] = m[(offset + i) * dim + offset + (blockIdx.x + 1) * BLOCK + idx];
    else col[i][idx] = m[(offset + (blockIdx.x + 1) * BLOCK + i) * dim + offset + idx];
  }
  __syncthreads();
  if (upper) {
    for (int i = 1; i < BLOCK; i++)
      for (int j = 0; j < i; j++) row[i][idx] -= dia[i][j] * row[j][idx];
  } else {
    for (int i = 0; i < BLOCK; i++) {
      for (int j = 0; j < i; j++) col[idx][i] -= col[idx][j] * dia[j][i];
      col[idx][i] /= dia[i][i];
    }
  }
  __syncthreads();
  for (int i = 0; i < BLOCK; i++) {
    if (upper) m[(offset + i) * dim + offset + (blockIdx.x + 1) * BLOCK + idx] = row[i][idx];
    else m[(offset + (blockIdx.x + 1) * BLOCK + i) * dim + offset + idx] = col[i][idx];
  }
}
FEATURE(lud, "lud: a diagonal tile and its perimeter, halves of a block that do different things") {
  const int n = 32;
  std::vector<float> a(n * n);
  unsigned seed = 2;
  for (int i = 0; i < n * n; ++i) a[i] = random_number(seed) % 100 / 100.0f + (i / n == i % n ? 10 : 0);
  Device<float> d(a);
  lud_diagonal<<<1, BLOCK>>>(d, n, 0);
  lud_perimeter<<<1, 2 * BLOCK>>>(d, n, 0);
  for (int k = 0; k < 16; ++k)
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j)
        if (i < 16 || j < 16) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  auto out = d.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wrong += (i < 16 || j < 16) && !close_to(out[i * n + j], a[i * n + j], 1e-4);
  return wrong;
}

// Stencils: pyramids of several steps with shrinking borders, macros for ranges; three dimensions along z in registers.
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
__global__ void pyramid(int iteration, const int *wall, const int *from, int *to, int cols, int rows, int start, int border) {
  __shared__ int prev[64], result[64];
  int bx = blockIdx.x, tx = threadIdx.x, small = 64 - iteration * 2;
  int blkX = small * bx - border, blkXmax = blkX + 63, xidx = blkX + tx;
  int validXmin = (blkX < 0) ? -blkX : 0, validXmax = (blkXmax > cols - 1) ? 63 - (blkXmax - cols + 1) : 63;
  int W = tx - 1, E = tx + 1;
  W = (W < validXmin) ? validXmin : W;
  E = (E > validXmax) ? validXmax : E;
  bool valid = IN_RANGE(tx, validXmin, validXmax);
  if (IN_RANGE(xidx, 0, cols - 1)) prev[tx] = from[xidx];
  __syncthreads();
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE(tx, i + 1, 64 - i - 2) && valid) {
      computed = true;
      int shortest = MIN(prev[W], prev[tx]);
      shortest = MIN(shortest, prev[E]);
      result[tx] = shortest + wall[cols * (start + i) + xidx];
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed) to[xidx] = result[tx];
}
__global__ void hotspot3d(const float *p, const float *tin, float *tout, int nx, int ny, int nz, float cc, float cw, float ct, float amb) {
  int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y, c = i + j * nx, xy = nx * ny;
  int W = (i == 0) ? c : c - 1, E = (i == nx - 1) ? c : c + 1, N = (j == 0) ? c : c - nx, S = (j == ny - 1) ? c : c + nx;
  float temp1 = tin[c], temp2 = temp1, temp3 = tin[c + xy];
  tout[c] = cc * temp2 + cw * (tin[W] + tin[E] + tin[S] + tin[N]) + ct * (temp1 + temp3) + p[c] + ct * amb;
  c += xy; W += xy; E += xy; N += xy; S += xy;
  for (int k = 1; k < nz - 1; ++k) {
    temp1 = temp2; temp2 = temp3; temp3 = tin[c + xy];
    tout[c] = cc * temp2 + cw * (tin[W] + tin[E] + tin[S] + tin[N]) + ct * (temp1 + temp3) + p[c] + ct * amb;
    c += xy; W += xy; E += xy; N += xy; S += xy;
  }
  temp1 = temp2; temp2 = temp3;
  tout[c] = cc * temp2 + cw * (tin[W] + tin[E] + tin[S] + tin[N]) + ct * (temp1 + temp2) + p[c] + ct * amb;
}
FEATURE(stencils, "pathfinder, hotspot, hotspot3D: pyramids with shrinking borders and a break, columns in registers") {
  const int cols = 100, rows = 5;
  auto wall = random_values<int>(cols * rows, 10);
  Device<int> d_wall(wall), a(std::vector<int>(wall.begin(), wall.begin() + cols)), b(cols);
  pyramid<<<2, 64>>>(3, d_wall, a, b, cols, rows, 1, 3);
  pyramid<<<2, 64>>>(1, d_wall, b, a, cols, rows, 4, 1);
  std::vector<int> e(wall.begin(), wall.begin() + cols);
  for (int r = 1; r < rows; ++r) {
    auto before = e;
    for (int x = 0; x < cols; ++x) e[x] = MIN(MIN(before[x ? x - 1 : 0], before[x]), before[x < cols - 1 ? x + 1 : x]) + wall[r * cols + x];
  }
  int wrong = differences(a.host(), e);
  const int nx = 16, ny = 8, nz = 4, xy = nx * ny;
  auto p = random_values<float>(xy * nz, 10), t = random_values<float>(xy * nz, 100);
  Device<float> d_p(p), d_t(t), d_o(xy * nz);
  hotspot3d<<<dim3(2, 2), dim3(8, 4)>>>(d_p, d_t, d_o, nx, ny, nz, 0.4f, 0.1f, 0.1f, 2.0f);
  std::vector<float> o(xy * nz);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        auto at = [&](int x, int y, int z) { return t[(z < 0 ? 0 : z >= nz ? nz - 1 : z) * xy + (y < 0 ? 0 : y >= ny ? ny - 1 : y) * nx + (x < 0 ? 0 : x >= nx ? nx - 1 : x)]; };
        o[z * xy + y * nx + x] = 0.4f * at(x, y, z) + 0.1f * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y + 1, z) + at(x, y - 1, z)) + 0.1f * (at(x, y, z - 1) + at(x, y, z + 1)) + p[z * xy + y * nx + x] + 0.2f;
      }
  return wrong + far_off(d_o.host(), o, 1e-5);
}

// cfd: float3 helpers by reference, constants in structures of constant memory, variables in arrays of their own.
struct Float3 { float x, y, z; };
__constant__ float ff_variable[5];
__constant__ Float3 ff_flux;
#define GAMMA 1.4f
__device__ __host__ inline void velocity_of(const float &density, const Float3 &momentum, Float3 &velocity) {
  velocity.x = momentum.x / density; velocity.y = momentum.y / density; velocity.z = momentum.z / density;
}
__device__ __host__ inline float speed_squared(const Float3 &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
__device__ __host__ inline float pressure_of(const float &density, const float &energy, const float &sqd) { return (GAMMA - 1.0f) * (energy - 0.5f * density * sqd); }
__device__ __host__ inline void flux_of(const Float3 &m, const Float3 &v, const float &p, Float3 &fx) { fx.x = v.x * m.x + p; fx.y = v.x * m.y; fx.z = v.x * m.z; }
__device__ __host__ inline void element(const int *neighbours, const float *normals, const float *variables, float *fluxes, int i, int n, const float *ff, Float3 fff) {
  float density = variables[i], energy = variables[i + 4 * n], flux = 0;
  Float3 momentum = {variables[i + n], variables[i + 2 * n], variables[i + 3 * n]}, velocity, fx;
  velocity_of(density, momentum, velocity);
  float sqd = speed_squared(velocity), p = pressure_of(density, energy, sqd), c = sqrtf(GAMMA * fabsf(p) / density);
  flux_of(momentum, velocity, p, fx);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int j = 0; j < 4; j++) {
    int nb = neighbours[i + j * n];
    Float3 normal = {normals[i + j * n], normals[i + (j + 4) * n], normals[i + (j + 8) * n]}, fn;
    float len = sqrtf(speed_squared(normal));
    if (nb >= 0) {
      Float3 m = {variables[nb + n], variables[nb + 2 * n], variables[nb + 3 * n]}, v;
      float d = variables[nb];
      velocity_of(d, m, v);
      float q = speed_squared(v), pn = pressure_of(d, variables[nb + 4 * n], q);
      flux_of(m, v, pn, fn);
      float factor = -len * 0.2f * 0.5f * (sqrtf(sqd) + sqrtf(q) + c + sqrtf(GAMMA * fabsf(pn) / d));
      flux += factor * (density - d) + 0.5f * normal.x * (fn.x + fx.x) + 0.5f * normal.y * (fn.y + fx.y) + 0.5f * normal.z * (fn.z + fx.z);
    } else if (nb == -1) {
      flux += normal.x * p;
    } else if (nb == -2) {
      flux += 0.5f * normal.x * (ff[1] + momentum.x) + 0.5f * normal.y * (fff.x + ff[j]);
    }
  }
  fluxes[i] = flux;
}
__global__ void cfd_flux(const int *neighbours, const float *normals, const float *variables, float *fluxes, int n) {
  element(neighbours, normals, variables, fluxes, blockDim.x * blockIdx.x + threadIdx.x, n, ff_variable, ff_flux);
}
FEATURE(cfd_flux, "cfd: float3 helpers by reference, structures in constant memory, unrolled neighbours with special cases") {
  const int n = 64;
  auto normals = random_values<float>(12 * n, 100), variables = random_values<float>(5 * n, 50);
  auto neighbours = random_values<int>(4 * n, n + 2);
  for (int &nb : neighbours) nb -= 2;
  for (float &v : variables) v = 1 + v / 50;
  float ff[5] = {1, 2, 3, 4, 5};
  Float3 fff = {0.5f, 1, 2};
  cudaMemcpyToSymbol(ff_variable, ff, sizeof ff);
  cudaMemcpyToSymbol(ff_flux, &fff, sizeof fff);
  Device<int> d_nb(neighbours);
  Device<float> d_normals(normals), d_v(variables), d_f(n);
  cfd_flux<<<2, 32>>>(d_nb, d_normals, d_v, d_f, n);
  std::vector<float> e(n);
  for (int i = 0; i < n; ++i) element(neighbours.data(), normals.data(), variables.data(), e.data(), i, n, ff, fff);
  return far_off(d_f.host(), e, 1e-4);
}

// B+ tree: nodes as structures with keys and children, a thread a key, all levels in a loop.
struct Knode { int location, indices[9], keys[9]; bool is_leaf; int num_keys; };
struct Record { int value; };
__global__ void find_k(long height, const Knode *knodes, long knodes_elem, const Record *records, long *currKnode, long *offset, const int *keys, Record *ans) {
  int thid = threadIdx.x, bid = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if (knodes[currKnode[bid]].keys[thid] <= keys[bid] && knodes[currKnode[bid]].keys[thid + 1] > keys[bid])
      if (knodes[offset[bid]].indices[thid] < knodes_elem) offset[bid] = knodes[offset[bid]].indices[thid];
    __syncthreads();
    if (thid == 0) currKnode[bid] = offset[bid];
    __syncthreads();
  }
  if (knodes[currKnode[bid]].keys[thid] == keys[bid]) ans[bid].value = records[knodes[currKnode[bid]].indices[thid]].value;
}
FEATURE(find_k, "b+tree: structures with arrays and truth values in memory, indices of 64 bits, dependent loads") {
  std::vector<Knode> nodes(9);
  std::vector<Record> records(64);
  for (int i = 0; i < 64; ++i) records[i].value = 1000 + i;
  for (int k = 0; k < 9; ++k) {
    nodes[0].indices[k] = k + 1;
    nodes[0].keys[k] = 24 * k;
    for (int c = 0; c < 8; ++c) if (k < 8) { nodes[k + 1].keys[c] = 3 * (8 * k + c); nodes[k + 1].indices[c] = 8 * k + c; nodes[k + 1].is_leaf = true; }
    if (k < 8) nodes[k + 1].keys[8] = 1 << 30;
  }
  nodes[0].keys[8] = 1 << 30;
  auto keys = random_values<int>(10, 64);
  for (int &k : keys) k *= 3;
  Device<Knode> d_nodes(nodes);
  Device<Record> d_records(records), ans(10);
  Device<long> current(10), offset(10);
  Device<int> d_keys(keys);
  find_k<<<10, 8>>>(1, d_nodes, 9, d_records, current, offset, d_keys, ans);
  auto out = ans.host();
  int wrong = 0;
  for (int i = 0; i < 10; ++i) wrong += out[i].value != 1000 + keys[i] / 3;
  return wrong;
}

// dwt2d: templates over a transform and its window, members of a structure in shared memory, offsets from a template.
template <int SIZE_X, int SIZE_Y> class Buffer2D {
  int data[SIZE_Y][SIZE_X + 1];
public:
  enum { stride = SIZE_X + 1 };
  __device__ int &at(int y, int x) { return data[y][x]; }
  template <class F> __device__ void lift(int x, int first, int last, F f) {
    for (int y = first; y <= last; y += 2) data[y][x] += f(data[y - 1][x], data[y + 1][x]);
  }
};
template <bool inverse> struct Lift { __device__ int operator()(int a, int b) const { return inverse ? -((a + b + 2) >> 2) : (a + b + 2) >> 2; } };
struct Predict { int sign; __device__ int operator()(int a, int b) const { return sign * ((a + b) >> 1); } };
template <int W, int H> __global__ void dwt_columns(const int *in, int *out, int width, int height) {
  __shared__ Buffer2D<W, H + 4> buffer;
  int x = blockIdx.x * W + threadIdx.x;
  for (int y = 0; y < H + 4; ++y) {
    int from = (int)blockIdx.y * H + y - 2;
    from = from < 0 ? -from : from >= height ? 2 * height - 2 - from : from;
    buffer.at(y, threadIdx.x) = in[from * width + x];
  }
  __syncthreads();
  buffer.lift(threadIdx.x, 1, H + 2, Predict{-1});
  __syncthreads();
  buffer.lift(threadIdx.x, 2, H + 1, Lift<false>());
  __syncthreads();
  for (int y = 0; y < H; ++y) out[(blockIdx.y * H + y) * width + x] = buffer.at(y + 2, threadIdx.x);
}
FEATURE(dwt_columns, "dwt2d: template classes in shared memory with functors, mirrored borders") {
  const int w = 32, h = 16;
  auto in = random_values<int>(w * h, 256);
  Device<int> d_in(in), d_out(w * h);
  dwt_columns<16, 8><<<dim3(2, 2), 16>>>(d_in, d_out, w, h);
  std::vector<int> e(w * h);
  for (int x = 0; x < w; ++x) {
    auto at = [&](int y) { return in[(y < 0 ? -y : y >= h ? 2 * h - 2 - y : y) * w + x]; };
    auto high = [&](int y) { return at(y) - ((at(y - 1) + at(y + 1)) >> 1); };
    for (int y = 0; y < h; ++y) e[y * w + x] = y & 1 ? high(y) : at(y) + ((high(y - 1) + high(y + 1) + 2) >> 2);
  }
  return differences(d_out.host(), e);
}

// lavaMD: boxes with neighbours as nested structures, four_vectors, home particles in shared memory.
typedef struct { FP x, y, z; } THREE_VECTOR;
typedef struct { FP v, x, y, z; } FOUR_VECTOR;
typedef struct { int x, y, z, number; long offset; } nei_str;
typedef struct { int x, y, z, number; long offset; int nn; nei_str nei[26]; } box_str;
typedef struct { FP alpha; } par_str;
typedef struct { int number_boxes; long space_elem; } dim_str;
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))
__global__ void md_boxes(par_str par, dim_str dim, const box_str *boxes, const FOUR_VECTOR *rv, const FP *qv, FOUR_VECTOR *fv) {
  __shared__ FOUR_VECTOR rA[20], rB[20];
  __shared__ double qB[20];
  int bx = blockIdx.x, wtx = threadIdx.x;
  if (bx < dim.number_boxes) {
    FP a2 = 2.0f * par.alpha * par.alpha;
    long first = boxes[bx].offset;
    for (int i = wtx; i < 20; i += 32) rA[i] = rv[first + i];
    __syncthreads();
    for (int k = 0; k < 1 + boxes[bx].nn; k++) {
      int pointer = k == 0 ? bx : boxes[bx].nei[k - 1].number;
      long other = boxes[pointer].offset;
      for (int i = wtx; i < 20; i += 32) { rB[i] = rv[other + i]; qB[i] = qv[other + i]; }
      __syncthreads();
      for (int i = wtx; i < 20; i += 32)
        for (int j = 0; j < 20; j++) {
          FP r2 = rA[i].v + rB[j].v - DOT(rA[i], rB[j]), vij = expf(-a2 * r2 * 0.01f);
          THREE_VECTOR d = {rA[i].x - rB[j].x, rA[i].y - rB[j].y, rA[i].z - rB[j].z};
          fv[first + i].v += (FP)(qB[j] * vij);
          fv[first + i].x += (FP)(qB[j] * (2 * vij * d.x));
          fv[first + i].y += (FP)(qB[j] * (2 * vij * d.y));
        }
      __syncthreads();
    }
  }
}
FEATURE(md_boxes, "lavaMD: nested structures with neighbours, several structures by value, doubles in shared memory") {
  std::vector<box_str> boxes(3);
  for (int b = 0; b < 3; ++b) {
    boxes[b].offset = 20 * b; boxes[b].nn = b == 1 ? 2 : 1;
    boxes[b].nei[0].number = b == 0 ? 1 : b - 1; boxes[b].nei[1].number = 2;
  }
  std::vector<FOUR_VECTOR> rv(60), e(60);
  std::vector<FP> qv(60);
  unsigned s = 4;
  for (int i = 0; i < 60; ++i) { rv[i] = {random_number(s) % 10 / 10.f, random_number(s) % 10 / 10.f, random_number(s) % 10 / 10.f, 0.5f}; qv[i] = i % 7; }
  Device<box_str> d_boxes(boxes);
  Device<FOUR_VECTOR> d_rv(rv), d_fv(60);
  Device<FP> d_qv(qv);
  md_boxes<<<3, 32>>>(par_str{0.5f}, dim_str{3, 60}, d_boxes, d_rv, d_qv, d_fv);
  auto out = d_fv.host();
  int wrong = 0;
  for (int b = 0; b < 3; ++b)
    for (int i = 20 * b; i < 20 * b + 20; ++i) {
      double v = 0, x = 0, y = 0;
      for (int k = 0; k <= boxes[b].nn; ++k) {
        int o = k ? boxes[b].nei[k - 1].number : b;
        for (int j = 20 * o; j < 20 * o + 20; ++j) {
          double vij = std::exp(-0.5 * 0.01 * (rv[i].v + rv[j].v - DOT(rv[i], rv[j])));
          v += qv[j] * vij; x += qv[j] * 2 * vij * (rv[i].x - rv[j].x); y += qv[j] * 2 * vij * (rv[i].y - rv[j].y);
        }
      }
      wrong += !close_to(out[i].v, v, 1e-4) || !close_to(out[i].x, x, 1e-4) || !close_to(out[i].y, y, 1e-4);
    }
  return wrong;
}

// Particle filter: generators in double, binary and linear searches, sums of doubles in shared memory. Stream cluster, k-means: strided feature sums.
__device__ double uniform(int *seed, int index) {
  int M = 2147483647, A = 1103515245, C = 12345, num = A * seed[index] + C;
  seed[index] = num % M;
  return fabs(seed[index] / ((double)M));
}
__device__ double normal(int *seed, int index) {
  double u = uniform(seed, index), v = uniform(seed, index), cosine = cos(2 * 3.14159265358979 * v), rt = -2 * log(u + 1e-9);
  return sqrt(rt) * cosine;
}
__global__ void particle_filter(const double *cdf, const double *u, double *x_in, double *x_out, int n, int *seed, double *sum) {
  __shared__ double buffer[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, index = -1;
  for (int k = 0; k < n; k++)
    if (cdf[k] >= u[i]) { index = k; break; }
  if (index == -1) index = n - 1;
  x_out[i] = x_in[index] + 1 + 5 * normal(seed, i);
  buffer[threadIdx.x] = fabs(x_out[i]) > 1e9 ? 0 : 1.0 / n;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sum[blockIdx.x] = buffer[0];
}
FEATURE(particle_filter, "particlefilter: searches with a break, congruences and Box-Muller in double, double in shared memory") {
  const int n = 64;
  std::vector<double> cdf(n), u(n), x(n);
  std::vector<int> seed(n);
  for (int i = 0; i < n; ++i) { cdf[i] = (i + 1.0) / n; u[i] = (i + 0.3) / n * 1.01; x[i] = i; seed[i] = i * 31 + 1; }
  Device<double> d_cdf(cdf), d_u(u), d_x(x), d_out(n), d_sum(1);
  Device<int> d_seed(seed);
  particle_filter<<<1, 64>>>(d_cdf, d_u, d_x, d_out, n, d_seed, d_sum);
  auto out = d_out.host();
  int wrong = !close_to(d_sum.host()[0], 1, 1e-14);
  for (int i = 0; i < n; ++i) {
    auto next = [&] { seed[i] = (int)(1103515245u * (unsigned)seed[i] + 12345u) % 2147483647; return std::fabs(seed[i] / 2147483647.0); };
    double a = next(), b = next();
    int index = n - 1;
    for (int k = n - 1; k >= 0; --k) if (cdf[k] >= u[i]) index = k;
    wrong += !close_to(out[i], index + 1 + 5 * std::sqrt(-2 * std::log(a + 1e-9)) * std::cos(2 * 3.14159265358979 * b), 1e-12);
  }
  return wrong;
}

// BFS of two kernels with a flag, structures of two ints; truth values as bytes.
struct GraphNode { int starting, no_of_edges; };
__global__ void bfs_expand(const GraphNode *nodes, const int *edges, bool *mask, bool *updating, bool *visited, int *cost, int n) {
  int tid = blockIdx.x * 64 + threadIdx.x;
  if (tid < n && mask[tid]) {
    mask[tid] = false;
    for (int i = nodes[tid].starting; i < (nodes[tid].no_of_edges + nodes[tid].starting); i++) {
      int id = edges[i];
      if (!visited[id]) { cost[id] = cost[tid] + 1; updating[id] = true; }
    }
  }
}
__global__ void bfs_settle(bool *mask, bool *updating, bool *visited, bool *over, int n) {
  int tid = blockIdx.x * 64 + threadIdx.x;
  if (tid < n && updating[tid]) { mask[tid] = true; visited[tid] = true; *over = true; updating[tid] = false; }
}
FEATURE(bfs, "bfs: two kernels until a flag of the host stays down, bytes as truth values") {
  const int n = 100;
  std::vector<GraphNode> nodes(n);
  auto edges = random_values<int>(3 * n, n);
  for (int i = 0; i < n; ++i) nodes[i] = {3 * i, 3};
  Device<GraphNode> d_nodes(nodes);
  Device<int> d_edges(edges), d_cost(n);
  Device<unsigned char> mask(n), updating(n), visited(n), over(1);
  cudaMemset(mask, 1, 1);
  cudaMemset(visited, 1, 1);
  unsigned char again;
  int rounds = 0;
  do {
    again = 0;
    cudaMemcpy(over, &again, 1, cudaMemcpyHostToDevice);
    bfs_expand<<<2, 64>>>(d_nodes, d_edges, (bool *)mask.pointer, (bool *)updating.pointer, (bool *)visited.pointer, d_cost, n);
    bfs_settle<<<2, 64>>>((bool *)mask.pointer, (bool *)updating.pointer, (bool *)visited.pointer, (bool *)over.pointer, n);
    cudaMemcpy(&again, over, 1, cudaMemcpyDeviceToHost);
  } while (again && ++rounds < 20);
  std::vector<int> e(n, -1), queue = {0};
  e[0] = 0;
  for (size_t k = 0; k < queue.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      int to = edges[3 * queue[k] + i];
      if (e[to] < 0) { e[to] = e[queue[k]] + 1; queue.push_back(to); }
    }
  for (int &x : e) x = x < 0 ? 0 : x;
  return differences(d_cost.host(), e);
}

// PolyBench: a thread an element with a loop, double or float by a typedef, strides by macros; triangular loops; square roots.
typedef double DATA_TYPE;
#define NI 20
#define NJ 24
__global__ void polybench(const DATA_TYPE *a, DATA_TYPE *c, DATA_TYPE *mean, DATA_TYPE alpha, DATA_TYPE beta) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < NI) && (j < NI)) {
    c[i * NI + j] *= beta;
    for (int k = 0; k < NJ; k++) c[i * NI + j] += alpha * a[i * NJ + k] * a[j * NJ + k];
  }
  if (i == 0 && j < NJ) {
    mean[j] = 0.0;
    for (int k = 0; k < NI; k++) mean[j] += a[k * NJ + j];
    mean[j] /= (DATA_TYPE)NI;
    DATA_TYPE dev = 0.0;
    for (int k = 0; k < NI; k++) dev += (a[k * NJ + j] - mean[j]) * (a[k * NJ + j] - mean[j]);
    dev = sqrt(dev / NI);
    mean[j] += dev <= 0.005 ? 1.0 : dev;
  }
}
__global__ void conv3d(const float *a, float *b, int i) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  float c11 = +2, c21 = +5, c31 = -8, c12 = -3, c22 = +6, c32 = -9, c13 = +4, c23 = +7, c33 = +10;
  if ((i < 7) && (j < 7) && (k < 7) && (i > 0) && (j > 0) && (k > 0))
    b[i * 64 + j * 8 + k] = c11 * a[(i - 1) * 64 + (j - 1) * 8 + (k - 1)] + c13 * a[(i + 1) * 64 + (j - 1) * 8 + (k - 1)] + c21 * a[(i - 1) * 64 + (j - 1) * 8 + (k - 1)] + c23 * a[(i + 1) * 64 + (j - 1) * 8 + (k - 1)] +
      c31 * a[(i - 1) * 64 + (j - 1) * 8 + (k - 1)] + c33 * a[(i + 1) * 64 + (j - 1) * 8 + (k - 1)] + c12 * a[i * 64 + (j - 1) * 8 + k] + c22 * a[i * 64 + j * 8 + k] + c32 * a[i * 64 + (j + 1) * 8 + k];
}
FEATURE(polybench, "PolyBench: syrk, correlation, 3DCONV: loops of one thread an element, double by a typedef") {
  auto a = random_values<double>(NI * NJ, 100);
  std::vector<double> c(NI * NI, 1.0), mean(NJ);
  Device<double> d_a(a), d_c(c), d_mean(NJ);
  polybench<<<dim3(1, 3), dim3(32, 8)>>>(d_a, d_c, d_mean, 1.5, 0.5);
  for (int i = 0; i < NI; ++i)
    for (int j = 0; j < NI; ++j) {
      c[i * NI + j] *= 0.5;
      for (int k = 0; k < NJ; ++k) c[i * NI + j] += 1.5 * a[i * NJ + k] * a[j * NJ + k];
    }
  for (int j = 0; j < NJ; ++j) {
    double s = 0, d = 0;
    for (int k = 0; k < NI; ++k) s += a[k * NJ + j] / NI;
    for (int k = 0; k < NI; ++k) d += (a[k * NJ + j] - s) * (a[k * NJ + j] - s) / NI;
    mean[j] = s + std::sqrt(d);
  }
  auto v = random_values<float>(512, 10);
  Device<float> d_v(v), d_b(512);
  for (int i = 1; i < 7; ++i) conv3d<<<dim3(1, 2), dim3(8, 4)>>>(d_v, d_b, i);
  auto b = d_b.host();
  int wrong = 0;
  for (int i = 1; i < 7; ++i)
    for (int j = 1; j < 7; ++j)
      for (int k = 1; k < 7; ++k) {
        auto at = [&](int x, int y, int z) { return v[x * 64 + y * 8 + z]; };
        float e = (2 + 5 - 8) * at(i - 1, j - 1, k - 1) + (4 + 7 + 10) * at(i + 1, j - 1, k - 1) - 3 * at(i, j - 1, k) + 6 * at(i, j, k) - 9 * at(i, j + 1, k);
        wrong += !close_to(b[i * 64 + j * 8 + k], e, 1e-5);
      }
  return wrong + far_off(d_c.host(), c, 1e-12) + far_off(d_mean.host(), mean, 1e-12);
}
