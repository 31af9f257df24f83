// Idioms of Parboil, SHOC, ISPASS, LonestarGPU, Pannotia, Mars and the SDK's samples: each kernel is our own, small, and does what theirs do in the same way.
#include "features.h"
#include <algorithm>
#include <string>

#define BOTH __host__ __device__

// MRI-Q: chunks of constants, sines and cosines; coordinates in structures.
struct kValues { float Kx, Ky, Kz, PhiMag; };
__constant__ kValues ck[64];
__global__ void mri_q(int numK, int kGlobalIndex, const float *x, const float *y, const float *z, float *Qr, float *Qi) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float sX = x[i], sY = y[i], sZ = z[i], sQr = Qr[i], sQi = Qi[i];
  int k = 0;
  if (numK % 2) {
    float arg = 6.2831853071795864769252867665590058f * (ck[0].Kx * sX + ck[0].Ky * sY + ck[0].Kz * sZ);
    sQr += ck[0].PhiMag * cosf(arg);
    sQi += ck[0].PhiMag * sinf(arg);
    k++;
    kGlobalIndex++;
  }
  for (; k < 64 && kGlobalIndex < numK; k += 2, kGlobalIndex += 2) {
    float arg = 6.2831853071795864769252867665590058f * (ck[k].Kx * sX + ck[k].Ky * sY + ck[k].Kz * sZ);
    sQr += ck[k].PhiMag * cosf(arg);
    sQi += ck[k].PhiMag * sinf(arg);
    int k2 = k + 1;
    float arg2 = 6.2831853071795864769252867665590058f * (ck[k2].Kx * sX + ck[k2].Ky * sY + ck[k2].Kz * sZ);
    sQr += ck[k2].PhiMag * cosf(arg2);
    sQi += ck[k2].PhiMag * sinf(arg2);
  }
  Qr[i] = sQr;
  Qi[i] = sQi;
}
FEATURE(mri_q, "Parboil mri-q: chunks of structures in constant memory, sinf and cosf") {
  const int n = 64, k = 65;
  auto x = random_values<float>(n, 100, 1), y = random_values<float>(n, 100, 2), z = random_values<float>(n, 100, 3);
  std::vector<kValues> v(66);
  unsigned s = 5;
  for (kValues &c : v) c = {random_number(s) % 100 / 3000.0f, random_number(s) % 100 / 3000.0f, random_number(s) % 100 / 3000.0f, 1.0f + random_number(s) % 3};
  Device<float> d_x(x), d_y(y), d_z(z), qr(n), qi(n);
  for (int first = 0; first < 33; first += 33) {
    cudaMemcpyToSymbol(ck, &v[first], 64 * sizeof(kValues));
    mri_q<<<1, 64>>>(33, first, d_x, d_y, d_z, qr, qi);
  }
  auto r = qr.host(), im = qi.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double a = 0, b = 0;
    for (int j = 0; j < 33; ++j) {
      double arg = 2 * M_PI * ((double)v[j].Kx * x[i] + (double)v[j].Ky * y[i] + (double)v[j].Kz * z[i]);
      a += v[j].PhiMag * std::cos(arg);
      b += v[j].PhiMag * std::sin(arg);
    }
    wrong += std::fabs(r[i] - a) > 2e-3 || std::fabs(im[i] - b) > 2e-3;
  }
  return wrong;
}

// LBM: macros for the indices of many fields, flags in the bits of floats.
enum { C = 0, N, S, E_, W, T, B, FLAGS, CELL_ENTRIES };
#define SIZE 8
#define CALC_INDEX(x, y, z, e) ((x) + (y) * SIZE + (z) * SIZE * SIZE + (e) * SIZE * SIZE * SIZE)
#define SRC(g, e, dx, dy, dz) ((g)[CALC_INDEX((x + (dx)) & (SIZE - 1), (y + (dy)) & (SIZE - 1), (z + (dz)) & (SIZE - 1), e)])
#define TEST_FLAG(g, e, f) ((*((const unsigned int *)((const void *)(&(SRC(g, e, 0, 0, 0)))))) & (f))
__global__ void lbm(const float *src, float *dst) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  float tC = SRC(src, C, 0, 0, 0), tN = SRC(src, N, 0, -1, 0), tS = SRC(src, S, 0, +1, 0), tE = SRC(src, E_, -1, 0, 0), tW = SRC(src, W, +1, 0, 0), tT = SRC(src, T, 0, 0, -1), tB = SRC(src, B, 0, 0, +1);
  if (TEST_FLAG(src, FLAGS, 1)) {
    float t = tN; tN = tS; tS = t;
    t = tE; tE = tW; tW = t;
    t = tT; tT = tB; tB = t;
  } else {
    float rho = tC + tN + tS + tE + tW + tT + tB, ux = (tE - tW) / rho, uy = (tN - tS) / rho, uz = (tT - tB) / rho;
    if (TEST_FLAG(src, FLAGS, 2)) { ux = 0.005f; uy = 0.002f; uz = 0.0f; }
    float u2 = 0.9f * (ux * ux + uy * uy + uz * uz);
    tC = 0.7f * tC + 0.3f * rho * 0.4f * (1 - u2);
    tN = 0.7f * tN + 0.3f * rho * 0.1f * (uy * (4.5f * uy + 3) + 1 - u2); tS = 0.7f * tS + 0.3f * rho * 0.1f * (uy * (4.5f * uy - 3) + 1 - u2);
    tE = 0.7f * tE + 0.3f * rho * 0.1f * (ux * (4.5f * ux + 3) + 1 - u2); tW = 0.7f * tW + 0.3f * rho * 0.1f * (ux * (4.5f * ux - 3) + 1 - u2);
    tT = 0.7f * tT + 0.3f * rho * 0.1f * (uz * (4.5f * uz + 3) + 1 - u2); tB = 0.7f * tB + 0.3f * rho * 0.1f * (uz * (4.5f * uz - 3) + 1 - u2);
  }
  SRC(dst, C, 0, 0, 0) = tC; SRC(dst, N, 0, 0, 0) = tN; SRC(dst, S, 0, 0, 0) = tS; SRC(dst, E_, 0, 0, 0) = tE; SRC(dst, W, 0, 0, 0) = tW; SRC(dst, T, 0, 0, 0) = tT; SRC(dst, B, 0, 0, 0) = tB;
}
FEATURE(lbm, "Parboil lbm: macros for fields, flags in the bits of floats") {
  const int cells = SIZE * SIZE * SIZE;
  std::vector<float> g(CELL_ENTRIES * cells);
  unsigned s = 6;
  for (int i = 0; i < cells * 7; ++i) g[i] = 1 + random_number(s) % 10 / 10.0f;
  for (int i = 0; i < cells; ++i) { unsigned f = random_number(s) % 3; memcpy(&g[7 * cells + i], &f, 4); }
  Device<float> src(g), dst(CELL_ENTRIES * cells);
  lbm<<<dim3(SIZE, SIZE), SIZE>>>(src, dst);
  auto out = dst.host();
  double before = 0, after = 0;
  int wrong = 0;
  for (int i = 0; i < cells; ++i) {
    unsigned f;
    memcpy(&f, &g[7 * cells + i], 4);
    int x = i % SIZE, y = i / SIZE % SIZE, z = i / SIZE / SIZE;
    float t[7] = {SRC(g, C, 0, 0, 0), SRC(g, N, 0, -1, 0), SRC(g, S, 0, 1, 0), SRC(g, E_, -1, 0, 0), SRC(g, W, 1, 0, 0), SRC(g, T, 0, 0, -1), SRC(g, B, 0, 0, 1)};
    float rho = 0, sum = 0;
    for (int k = 0; k < 7; ++k) { rho += t[k]; sum += out[k * cells + i]; }
    wrong += !close_to(sum, rho, 1e-5);
    if (f & 1) for (int k = 1; k < 7; ++k) wrong += out[k * cells + i] != t[k % 2 ? k + 1 : k - 1];
    before += rho; after += sum;
  }
  return wrong + !close_to(after, before, 1e-5);
}

// TPACF: bins in constant memory found by a binary search, histograms of threads in shared memory.
__constant__ float dev_binb[17];
struct cartesian { float x, y, z; };
__global__ void tpacf(unsigned *hists, const float *xyz, int n) {
  __shared__ cartesian data_s[32];
  __shared__ unsigned short thread_hists[16][64];
  unsigned tid = threadIdx.x;
  for (unsigned i = 0; i < 16; ++i) thread_hists[i][tid] = 0;
  cartesian mine = {xyz[tid], xyz[tid + n], xyz[tid + 2 * n]};
  for (unsigned i = 0; i < n; i += 32) {
    __syncthreads();
    if (tid < 32) data_s[tid] = cartesian{xyz[i + tid], xyz[i + tid + n], xyz[i + tid + 2 * n]};
    __syncthreads();
    for (unsigned j = 0; j < 32; ++j) {
      float distance = mine.x * data_s[j].x + mine.y * data_s[j].y + mine.z * data_s[j].z;
      unsigned min = 0, max = 16, k;
      while (max > min + 1) {
        k = (min + max) / 2;
        if (distance >= dev_binb[k]) max = k; else min = k;
      }
      if (distance < dev_binb[min] && distance >= dev_binb[max])
        thread_hists[min][tid]++;
    }
  }
  __syncthreads();
  if (tid < 16) {
    unsigned sum = 0;
    for (int c = 0; c < 64; ++c) sum += thread_hists[tid][c];
    hists[tid] = sum;
  }
}
FEATURE(tpacf, "Parboil tpacf: binary search in constant bins, histograms of halves of words in shared memory") {
  const int n = 64;
  std::vector<float> v(3 * n);
  float bins[17];
  unsigned s = 8;
  for (float &x : v) x = random_number(s) % 1000 / 1000.0f;
  for (int i = 0; i <= 16; ++i) bins[i] = 3.0f - i * 0.1875f;
  cudaMemcpyToSymbol(dev_binb, bins, sizeof bins);
  Device<float> d(v);
  Device<unsigned> hist(16);
  tpacf<<<1, 64>>>(hist, d, n);
  std::vector<unsigned> e(16);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float distance = std::fmaf(v[i + 2 * n], v[j + 2 * n], std::fmaf(v[i], v[j], v[i + n] * v[j + n]));
      for (int k = 0; k < 16; ++k)
        if (distance < bins[k] && distance >= bins[k + 1]) ++e[k];
    }
  auto out = hist.host();
  int wrong = 0, all = 0;
  for (int k = 0; k < 16; ++k) {
    wrong += std::abs((int)(out[k] - e[k])) > 2; // Sums are rounded in another order.
    all += out[k];
  }
  return wrong + (all != n * n);
}

// SAD: halves of words, loops over offsets, results as ushort2; sgemm of SHOC's tile in registers; spmv in jagged diagonals.
__global__ void sad(unsigned short *blk_sad, const unsigned short *frame, int width, const unsigned char *reference) {
  int dx = threadIdx.x % 8 - 4, dy = threadIdx.x / 8 - 4, bx = blockIdx.x * 4, by = blockIdx.y * 4;
  unsigned short sum = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      int rx = min(max(bx + x + dx, 0), width - 1), ry = min(max(by + y + dy, 0), width - 1);
      sum += abs((int)frame[(by + y) * width + bx + x] - (int)reference[ry * width + rx]);
    }
  blk_sad[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = sum;
}
__global__ void sgemm_tile(const float *A, int lda, const float *Bm, int ldb, float *Cm, int ldc, int k) {
  __shared__ float bs[4][17];
  int inx = threadIdx.x, iny = threadIdx.y, ibx = blockIdx.x * 16, iby = blockIdx.y * 16, id = inx + iny * 4;
  A += ibx + id;
  Bm += inx + (iby + iny) * ldb;
  Cm += ibx + id + iby * ldc;
  float c[16] = {0};
  const float *last = Bm + k;
  do {
    for (int i = 0; i < 16; i += 4) bs[inx][iny + i] = Bm[i * ldb];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++, A += lda) {
      float a = A[0];
      for (int j = 0; j < 16; ++j) c[j] += a * bs[i][j];
    }
    Bm += 4;
    __syncthreads();
  } while (Bm < last);
  for (int i = 0; i < 16; i++, Cm += ldc) Cm[0] = c[i] + 0.5f * Cm[0];
}
__constant__ int jds_ptr_int[32], sh_zcnt_int[8];
__global__ void spmv_jds(float *dst, const float *data, const int *index, const int *perm, const float *x, int dim) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x, warp_id = ix >> 5;
  if (ix < dim) {
    float sum = 0;
    int bound = sh_zcnt_int[warp_id];
    for (int k = 0; k < bound; k++) {
      int j = jds_ptr_int[k] + ix;
      sum += data[j] * x[index[j]];
    }
    dst[perm[ix]] = sum;
  }
}
FEATURE(parboil_loops, "Parboil sad, sgemm, spmv: halves of words, tiles in registers with moving pointers, jagged diagonals") {
  const int w = 16;
  auto frame = random_values<unsigned short>(w * w, 256);
  auto ref = random_values<unsigned char>(w * w, 256, 9);
  Device<unsigned short> d_frame(frame), d_sad(16 * 64);
  Device<unsigned char> d_ref(ref);
  sad<<<dim3(4, 4), 64>>>(d_sad, d_frame, w, d_ref);
  auto sads = d_sad.host();
  int wrong = 0;
  for (int b = 0; b < 16; ++b)
    for (int t = 0; t < 64; ++t) {
      int sum = 0;
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
          int rx = std::min(std::max(b % 4 * 4 + x + t % 8 - 4, 0), w - 1), ry = std::min(std::max(b / 4 * 4 + y + t / 8 - 4, 0), w - 1);
          sum += std::abs(frame[(b / 4 * 4 + y) * w + b % 4 * 4 + x] - ref[ry * w + rx]);
        }
      wrong += sads[b * 64 + t] != sum;
    }
  const int m = 32, n = 16, k = 12;
  auto a = random_values<float>(m * k, 10), bm = random_values<float>(k * n, 10), c = random_values<float>(m * n, 10);
  Device<float> d_a(a), d_b(bm), d_c(c);
  sgemm_tile<<<dim3(2, 1), dim3(4, 4)>>>(d_a, m, d_b, k, d_c, m, k);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[l * m + i] * bm[j * k + l];
      c[j * m + i] = sum + 0.5f * c[j * m + i];
    }
  wrong += differences(d_c.host(), c);
  const int rows = 50;
  int ptr[32] = {0, 64, 128}, count[8] = {3, 2};
  auto data = random_values<float>(192, 10), x = random_values<float>(rows, 10);
  auto index = random_values<int>(192, rows);
  std::vector<int> perm(rows);
  for (int i = 0; i < rows; ++i) perm[i] = rows - 1 - i;
  cudaMemcpyToSymbol(jds_ptr_int, ptr, sizeof ptr);
  cudaMemcpyToSymbol(sh_zcnt_int, count, sizeof count);
  Device<float> d_data(data), d_x(x), d_dst(rows);
  Device<int> d_index(index), d_perm(perm);
  spmv_jds<<<2, 32>>>(d_dst, d_data, d_index, d_perm, d_x, rows);
  std::vector<float> e(rows);
  for (int i = 0; i < rows; ++i)
    for (int l = 0; l < count[i / 32]; ++l) e[perm[i]] += data[ptr[l] + i] * x[index[ptr[l] + i]];
  return wrong + differences(d_dst.host(), e);
}

// N-queens: backtracking with stacks in shared memory as columns of bits.
BOTH inline int queens(int n, unsigned t_mask, unsigned t_l, unsigned t_r, unsigned *mask, unsigned *l, unsigned *r, unsigned *m, int stride) {
  const unsigned all = (1u << n) - 1;
  int i = 0, total = 0;
  mask[0] = t_mask; l[0] = t_l; r[0] = t_r; m[0] = t_mask | t_l | t_r;
  while (i >= 0) {
    if ((m[i * stride] & all) == all) { i--; continue; }
    unsigned index = (m[i * stride] + 1) & ~m[i * stride];
    m[i * stride] |= index;
    if (!(index & all)) { i--; continue; }
    if (((mask[i * stride] | index) & all) == all) { total++; i--; continue; }
    mask[(i + 1) * stride] = mask[i * stride] | index;
    l[(i + 1) * stride] = (l[i * stride] | index) << 1;
    r[(i + 1) * stride] = (r[i * stride] | index) >> 1;
    m[(i + 1) * stride] = mask[(i + 1) * stride] | l[(i + 1) * stride] | r[(i + 1) * stride];
    i++;
  }
  return total;
}
__global__ void n_queens(int n, const unsigned *masks, const unsigned *ls, const unsigned *rs, unsigned *results, int count) {
  __shared__ unsigned mask[32][8], l[32][8], r[32][8], m[32][8];
  int t = threadIdx.x;
  if (t < count) results[t] = queens(n, masks[t], ls[t], rs[t], mask[t], l[t], r[t], m[t], 1);
}
FEATURE(n_queens, "ISPASS NQU: backtracking with a stack of bits in shared memory") {
  const int n = 6;
  std::vector<unsigned> mask(n), l(n), r(n);
  for (int i = 0; i < n; ++i) { mask[i] = 1u << i; l[i] = 2u << i; r[i] = (1u << i) >> 1; }
  Device<unsigned> d_m(mask), d_l(l), d_r(r), results(n);
  n_queens<<<1, 32>>>(n, d_m, d_l, d_r, results, n);
  int total = 0;
  for (unsigned x : results.host()) total += x;
  return total != 4;
}

// A layer of a neural network with a block a neuron and odd sizes; a chunk of text in shared memory with sliding windows.
__constant__ int template1[25] = {0, 1, 2, 3, 4, 29, 30, 31, 32, 33, 58, 59, 60, 61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__global__ void neural_layer(const float *layer, const float *weights, float *out) {
  int block = blockIdx.x, px = threadIdx.x, py = threadIdx.y, begin = block * 26, window = py * 2 * 29 + px * 2;
  float result = weights[begin];
  ++begin;
  for (int i = 0; i < 25; ++i) result += layer[window + template1[i] + 29 * 29 * blockIdx.y] * weights[begin + i];
  out[13 * 13 * block + py * 13 + px + 13 * 13 * 2 * blockIdx.y] = 1.7159f * tanhf(0.66666667f * result);
}
FEATURE(neural_layer, "ISPASS NN: small blocks in two dimensions, tables of offsets with values, tanh") {
  auto layer = random_values<float>(29 * 29, 10), weights = random_values<float>(52, 20);
  for (float &w : weights) w = (w - 10) / 100;
  Device<float> d_l(layer), d_w(weights), d_o(2 * 169);
  neural_layer<<<dim3(2, 1), dim3(13, 13)>>>(d_l, d_w, d_o);
  std::vector<float> e(2 * 169);
  for (int b = 0; b < 2; ++b)
    for (int p = 0; p < 169; ++p) {
      double r = weights[26 * b];
      for (int i = 0; i < 25; ++i) r += layer[p / 13 * 58 + p % 13 * 2 + i / 5 * 29 + i % 5] * weights[26 * b + 1 + i];
      e[b * 169 + p] = 1.7159 * std::tanh(0.66666667 * r);
    }
  return far_off(d_o.host(), e, 1e-5);
}

// LPS: three planes of a grid with a halo in shared memory, ways by the thread's number.
__global__ void laplace3d(int NX, int NY, int NZ, const float *u1, float *u2) {
  __shared__ float s[3 * (8 + 2) * (4 + 2)];
  const int ioff = 1, joff = 8 + 2, koff = (8 + 2) * (4 + 2);
  int k = threadIdx.x + threadIdx.y * 8, halo = k < 2 * (8 + 4 + 2), indg_h = 0, ind_h = 0;
  if (halo) {
    int i, j;
    if (threadIdx.y < 2) { i = threadIdx.x; j = threadIdx.y * (4 + 1) - 1; }
    else { i = (k % 2) * (8 + 1) - 1; j = k / 2 - 8 - 1; }
    ind_h = i + 1 + (j + 1) * joff;
    i += blockIdx.x * 8; j += blockIdx.y * 4;
    indg_h = i + j * NX;
    halo = i >= 0 && i < NX && j >= 0 && j < NY;
  }
  int ind = threadIdx.x + 1 + (threadIdx.y + 1) * joff, i = threadIdx.x + blockIdx.x * 8, j = threadIdx.y + blockIdx.y * 4, indg = i + j * NX;
  bool active = i < NX && j < NY;
  if (active) s[ind + koff + koff] = u1[indg];
  if (halo) s[ind_h + koff + koff] = u1[indg_h];
  for (k = 0; k < NZ; k++) {
    if (active) { s[ind] = s[ind + koff]; s[ind + koff] = s[ind + koff + koff]; if (k < NZ - 1) s[ind + koff + koff] = u1[indg + NX * NY]; }
    if (halo) { indg_h += NX * NY; s[ind_h + koff] = s[ind_h + koff + koff]; if (k < NZ - 1) s[ind_h + koff + koff] = u1[indg_h]; }
    __syncthreads();
    if (active) {
      float u;
      if (i == 0 || i == NX - 1 || j == 0 || j == NY - 1 || k == 0 || k == NZ - 1) u = s[ind + koff];
      else u = (s[ind + koff - ioff] + s[ind + koff + ioff] + s[ind + koff - joff] + s[ind + koff + joff] + s[ind] + s[ind + koff + koff]) * (1.0f / 6.0f);
      u2[indg] = u;
      indg += NX * NY;
    }
    __syncthreads();
  }
}
FEATURE(laplace3d, "ISPASS LPS: planes in shared memory with a halo read by other threads") {
  const int nx = 20, ny = 10, nz = 4;
  auto u = random_values<float>(nx * ny * nz, 60);
  Device<float> a(u), b(nx * ny * nz);
  laplace3d<<<dim3(3, 3), dim3(8, 4)>>>(nx, ny, nz, a, b);
  std::vector<float> e = u;
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const float *c = &u[(z * ny + y) * nx + x];
        e[(z * ny + y) * nx + x] = (c[-1] + c[1] + c[-nx] + c[nx] + c[-nx * ny] + c[nx * ny]) * (1.0f / 6.0f);
      }
  return far_off(b.host(), e, 1e-6);
}

// LonestarGPU: classes for the graph and the worklist by value, relaxation by atomicMin, items appended in bulk.
struct CsrGraph {
  int nnodes, nedges, *row, *column, *weight;
  __device__ __host__ int first(int node) const { return row[node]; }
  __device__ int degree(int node) const { return row[node + 1] - row[node]; }
  __device__ int destination(int node, int k) const { return column[row[node] + k]; }
};
struct Worklist {
  int *items, *count, capacity;
  __device__ bool pop(int id, int &item) const { if (id < *count) { item = items[id]; return true; } return false; }
  __device__ bool push(int item) {
    int at = atomicAdd(count, 1);
    if (at >= capacity) return false;
    items[at] = item;
    return true;
  }
};
__device__ bool process_edge(int *dist, const CsrGraph &graph, int src, int k, int &dst) {
  dst = graph.destination(src, k);
  if (dst >= graph.nnodes) return false;
  int altdist = dist[src] + graph.weight[graph.first(src) + k];
  return altdist < dist[dst] && altdist < atomicMin(&dist[dst], altdist);
}
__global__ void sssp_worklist(int *dist, CsrGraph graph, Worklist in, Worklist out) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, node;
  while (in.pop(id, node)) {
    for (int k = 0; k < graph.degree(node); ++k) {
      int dst = 0;
      if (process_edge(dist, graph, node, k, dst) && !out.push(dst)) return;
    }
    id += blockDim.x * gridDim.x;
  }
}
FEATURE(sssp_worklist, "LonestarGPU sssp: classes by value with references, worklists in both directions, atomicMin") {
  const int n = 60;
  std::vector<int> row(n + 1), column = random_values<int>(3 * n, n), weight = random_values<int>(3 * n, 20, 4), dist(n, 1 << 20);
  for (int i = 0; i <= n; ++i) row[i] = 3 * i;
  for (int &w : weight) ++w;
  dist[0] = 0;
  Device<int> d_row(row), d_column(column), d_weight(weight), d_dist(dist), items1(1000), items2(1000), count1(1), count2(1);
  int one = 1, zero = 0, rounds = 0;
  cudaMemcpy(count1, &one, 4, cudaMemcpyHostToDevice);
  Worklist a = {items1, count1, 1000}, b = {items2, count2, 1000};
  do {
    cudaMemcpy(b.count, &zero, 4, cudaMemcpyHostToDevice);
    sssp_worklist<<<2, 32>>>(d_dist, CsrGraph{n, 3 * n, d_row, d_column, d_weight}, a, b);
    std::swap(a, b);
    cudaMemcpy(&one, a.count, 4, cudaMemcpyDeviceToHost);
  } while (one && ++rounds < 50);
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) dist[column[3 * i + k]] = std::min(dist[column[3 * i + k]], dist[i] + weight[3 * i + k]);
  return differences(d_dist.host(), dist);
}

// Barnes-Hut's centre of mass and force: votes of a warp, a stack for each warp in shared memory, volatile in memory, children of -1.
__global__ void tree_force(int nbodies, int nnodes, const int *child, const float *mass, const float *px, float *ax, float root_size) {
  __shared__ volatile int pos[64], node[64];
  __shared__ volatile float dq[64];
  int base = threadIdx.x / 32, sbase = base * 32, j = sbase;
  for (int k = threadIdx.x + blockIdx.x * blockDim.x; k < nbodies; k += blockDim.x * gridDim.x) {
    float x = px[k], a = 0;
    int depth = j;
    if (sbase == threadIdx.x) { node[j] = nnodes; pos[j] = 0; dq[j] = root_size; }
    __threadfence_block();
    while (depth >= j) {
      int t;
      while ((t = pos[depth]) < 2) {
        int n = child[2 * node[depth] + t];
        if (sbase == threadIdx.x) pos[depth] = t + 1;
        __threadfence_block();
        if (n >= 0) {
          float dx = px[n] - x, tmp = dx * dx + 0.01f;
          if ((n < nbodies) || __all(tmp >= dq[depth])) {
            tmp = rsqrtf(tmp);
            a += dx * (mass[n] * tmp * tmp * tmp);
          } else {
            depth++;
            if (sbase == threadIdx.x) { node[depth] = n; pos[depth] = 0; dq[depth] = dq[depth - 1] * 0.25f; }
            __threadfence_block();
          }
        } else {
          depth = max(j, depth - 1);
          break;
        }
      }
      if (t >= 2) depth--;
    }
    ax[k] = a;
  }
}
FEATURE(tree_force, "LonestarGPU bh: walk of a tree by whole warps, stacks in volatile shared memory, __all (warp-synchronous)") {
  const int n = 32, total = 63;
  std::vector<int> child(2 * (total + 1), -1);
  std::vector<float> mass(total + 1), px(total + 1), e(n);
  for (int i = 0; i < n; ++i) { mass[i] = 1 + i % 3; px[i] = i * 0.5f; }
  int next = n, level[64], count = n;
  for (int i = 0; i < n; ++i) level[i] = i;
  while (count > 1) {
    for (int i = 0; i < count / 2; ++i) {
      int a = level[2 * i], b = level[2 * i + 1], c = count == 2 ? total : next++;
      child[2 * c] = a; child[2 * c + 1] = b;
      mass[c] = mass[a] + mass[b];
      px[c] = (mass[a] * px[a] + mass[b] * px[b]) / mass[c];
      level[i] = c;
    }
    count /= 2;
  }
  Device<int> d_child(child);
  Device<float> d_mass(mass), d_px(px), d_ax(n);
  tree_force<<<1, 32>>>(n, total, d_child, d_mass, d_px, d_ax, 1e9f);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) { double dx = px[j] - px[i]; e[i] += dx * mass[j] / std::pow(dx * dx + 0.01, 1.5); }
  auto out = d_ax.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += std::fabs(out[i] - e[i]) > 1e-3 * (1 + std::fabs(e[i]));
  return wrong;
}

// Pannotia: colouring by the largest value of the neighbours, page rank by float atomics, betweenness backwards.
__global__ void color_max(const int *row, const int *col, const float *value, int *color_array, int *stop, float *max_d, int color, int n) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  if (tid < n) {
    if (color_array[tid] == -1) {
      int start = row[tid], end = tid + 1 < n ? row[tid + 1] : row[n];
      float maximum = -1;
      for (int edge = start; edge < end; edge++)
        if (color_array[col[edge]] == -1 && start != end - 1) {
          *stop = 1;
          if (value[col[edge]] > maximum) maximum = value[col[edge]];
        }
      max_d[tid] = maximum;
    }
  }
}
__global__ void color_set(const float *value, int *color_array, const float *max_d, int color, int n) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  if (tid < n && color_array[tid] == -1 && value[tid] >= max_d[tid]) color_array[tid] = color;
}
__global__ void pagerank(const int *row, const int *col, const float *rank, float *next, int n) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  if (tid < n)
    for (int edge = row[tid]; edge < row[tid + 1]; edge++) atomicAdd(&next[col[edge]], rank[tid] / (float)(row[tid + 1] - row[tid]));
}
FEATURE(pannotia, "Pannotia: colouring with flags that all write, page rank by float atomics") {
  const int n = 64;
  std::vector<int> row(n + 1), col;
  for (int i = 0; i < n; ++i) {
    row[i] = col.size();
    for (int d : {1, 5, 11}) { col.push_back((i + d) % n); col.push_back((i + n - d) % n); }
  }
  row[n] = col.size();
  std::vector<float> value(n), rank = random_values<float>(n, 64);
  for (int i = 0; i < n; ++i) value[i] = (i * 37 + 11) % 64;
  Device<int> d_row(row), d_col(col), d_color(n, 0xff), stop(1);
  Device<float> d_value(value), d_max(n), d_rank(rank), d_next(n);
  for (int c = 0; c < 30; ++c) {
    color_max<<<2, 32>>>(d_row, d_col, d_value, d_color, stop, d_max, c, n);
    color_set<<<2, 32>>>(d_value, d_color, d_max, c, n);
  }
  pagerank<<<2, 32>>>(d_row, d_col, d_rank, d_next, n);
  auto color = d_color.host();
  int wrong = 0;
  std::vector<float> e(n);
  for (int i = 0; i < n; ++i) {
    wrong += color[i] < 0;
    for (int k = row[i]; k < row[i + 1]; ++k) { wrong += color[i] == color[col[k]]; e[col[k]] += rank[i] / 6; }
  }
  return wrong + far_off(d_next.host(), e, 1e-5);
}

// Mars: map functions that emit through sizes counted before, records at offsets, comparison of strings of bytes.
struct Directory { int key_offset, key_size, value_offset, value_size; };
__device__ void emit_count(int key_size, int value_size, int *counts) { counts[0] += key_size; counts[1] += value_size; counts[2]++; }
__device__ void map_count(const char *text, int size, int *counts) {
  for (int i = 0; i < size; ++i)
    if (text[i] == ' ') emit_count(4, sizeof(int), counts);
}
__device__ int compare(const void *a, int size_a, const void *b, int size_b) {
  const char *x = (const char *)a, *y = (const char *)b;
  for (int i = 0; i < size_a && i < size_b; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return size_a - size_b;
}
__global__ void mars_count(const char *text, const Directory *records, int *counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int own[3] = {0, 0, 0};
    map_count(text + records[i].value_offset, records[i].value_size, own);
    for (int k = 0; k < 3; ++k) counts[3 * i + k] = own[k];
  }
}
__global__ void mars_order(const char *text, const Directory *records, int *places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
  if (i >= n) return;
  for (int k = 0; k < n; ++k) {
    int c = compare(text + records[k].key_offset, records[k].key_size, text + records[i].key_offset, records[i].key_size);
    before += c < 0 || (c == 0 && k < i);
  }
  places[i] = before;
}
FEATURE(mars, "Mars: map functions with counters by pointer, records by offsets, strings of bytes compared") {
  const int n = 40;
  std::vector<char> text(n * 16);
  std::vector<Directory> records(n);
  unsigned s = 12;
  for (char &c : text) c = "abc "[random_number(s) % 4];
  for (int i = 0; i < n; ++i) records[i] = {16 * i, 3 + i % 3, 16 * i + 4, 11};
  Device<char> d_text(text);
  Device<Directory> d_records(records);
  Device<int> counts(3 * n), places(n);
  mars_count<<<1, 32>>>(d_text, d_records, counts, n);
  mars_order<<<2, 32>>>(d_text, d_records, places, n);
  auto c = counts.host(), p = places.host();
  int wrong = 0;
  std::vector<int> order(n, -1);
  for (int i = 0; i < n; ++i) {
    int spaces = 0;
    for (int k = 0; k < 11; ++k) spaces += text[16 * i + 4 + k] == ' ';
    wrong += c[3 * i] != 4 * spaces || c[3 * i + 1] != 4 * spaces || c[3 * i + 2] != spaces;
    if (p[i] >= 0 && p[i] < n) order[p[i]] = i;
  }
  for (int k = 0; k < n; ++k) wrong += order[k] < 0;
  for (int k = 1; k < n && !wrong; ++k) wrong += std::string(&text[16 * order[k - 1]], 3 + order[k - 1] % 3) > std::string(&text[16 * order[k]], 3 + order[k] % 3);
  return wrong;
}

// Samples: options by polynomials and templates, DCT of 8 x 8, separable convolution, bins packed in words, eigenvalues by Sturm counts.
struct OptionData { float S, X, T, R, V; };
BOTH inline float cnd(float d) {
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * (K * (0.31938153f + K * (-0.356563782f + K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f)))));
  return d > 0 ? 1.0f - c : c;
}
BOTH inline void options(float &call, float &put, OptionData o) {
  float sqrtT = sqrtf(o.T), d1 = (logf(o.S / o.X) + (o.R + 0.5f * o.V * o.V) * o.T) / (o.V * sqrtT), d2 = d1 - o.V * sqrtT, e = expf(-o.R * o.T);
  call = o.S * cnd(d1) - o.X * e * cnd(d2);
  put = o.X * e * (1.0f - cnd(d2)) - o.S * (1.0f - cnd(d1));
}
__global__ void black_scholes(float2 *out, const OptionData *in, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) options(out[i].x, out[i].y, in[i]);
}
__device__ void dct8(volatile float *first, int step) {
  float v[8], X07P, X16P, X25P, X34P;
  for (int i = 0; i < 8; ++i) v[i] = first[i * step];
  X07P = v[0] + v[7]; X16P = v[1] + v[6]; X25P = v[2] + v[5]; X34P = v[3] + v[4];
  float X07M = v[0] - v[7], X61M = v[6] - v[1], X25M = v[2] - v[5], X43M = v[4] - v[3];
  float X07P34PP = X07P + X34P, X07P34PM = X07P - X34P, X16P25PP = X16P + X25P, X16P25PM = X16P - X25P;
  const float a = 1.387039845322148f, b = 1.306562964876377f, c = 1.175875602419359f, d = 0.785694958387102f, e = 0.541196100146197f, f = 0.275899379282943f, n = 0.353553390593274f;
  first[0] = n * (X07P34PP + X16P25PP); first[2 * step] = n * (b * X07P34PM + e * X16P25PM);
  first[4 * step] = n * (X07P34PP - X16P25PP); first[6 * step] = n * (e * X07P34PM - b * X16P25PM);
  first[1 * step] = n * (a * X07M - c * X61M + d * X25M - f * X43M); first[3 * step] = n * (c * X07M + f * X61M - a * X25M + d * X43M);
  first[5 * step] = n * (d * X07M + a * X61M + f * X25M - c * X43M); first[7 * step] = n * (f * X07M + d * X61M + c * X25M + a * X43M);
}
__global__ void dct(float *dst, const float *src, int stride) {
  __shared__ float block[8][9];
  int x = threadIdx.x;
  for (int y = 0; y < 8; ++y) block[y][x] = src[(blockIdx.y * 8 + y) * stride + blockIdx.x * 8 + x];
  __syncthreads();
  dct8(&block[x][0], 1);
  __syncthreads();
  dct8(&block[0][x], 9);
  __syncthreads();
  for (int y = 0; y < 8; ++y) dst[(blockIdx.y * 8 + y) * stride + blockIdx.x * 8 + x] = block[y][x];
}
#define KERNEL_RADIUS 4
__constant__ float c_Kernel[2 * KERNEL_RADIUS + 1];
template <int i> __device__ float convolution_row(const float *data) { return data[KERNEL_RADIUS - i] * c_Kernel[i] + convolution_row<i - 1>(data); }
template <> __device__ float convolution_row<-1>(const float *) { return 0; }
__global__ void convolve_rows(float *dst, const float *src, int width) {
  __shared__ float data[KERNEL_RADIUS + 32 + KERNEL_RADIUS];
  const int tileStart = __mul24(blockIdx.x, 32), tileEnd = tileStart + 31, apronStart = tileStart - KERNEL_RADIUS, apronStartAligned = tileStart - 16, rowStart = __mul24(blockIdx.y, width);
  const int loadPos = apronStartAligned + threadIdx.x;
  if (loadPos >= apronStart && loadPos <= tileEnd + KERNEL_RADIUS) data[loadPos - apronStart] = loadPos >= 0 && loadPos < width ? src[rowStart + loadPos] : 0;
  __syncthreads();
  const int writePos = tileStart + threadIdx.x;
  if (writePos <= min(tileEnd, width - 1)) dst[rowStart + writePos] = convolution_row<2 * KERNEL_RADIUS>(&data[writePos - apronStart]);
}
__device__ inline int sturm_count(const float *d, const float *s, int n, float x) {
  int count = 0;
  float delta = 1;
  for (int k = 0; k < n; ++k) {
    delta = d[k] - x - (k ? s[k - 1] * s[k - 1] / delta : 0.0f);
    if (fabsf(delta) < 1e-12f) delta = -1e-12f;
    count += delta < 0;
  }
  return count;
}
__global__ void eigenvalues(const float *d, const float *s, int n, float *out, float low, float high) {
  float l = low, r = high;
  for (int i = 0; i < 30; ++i) {
    float mid = l + (r - l) * 0.5f;
    if (sturm_count(d, s, n, mid) > threadIdx.x) r = mid; else l = mid;
  }
  out[threadIdx.x] = l;
}
FEATURE(samples, "SDK: BlackScholes, dct8x8, convolutionSeparable by recursive templates, eigenvalues") {
  std::vector<OptionData> in(50);
  unsigned s = 3;
  for (OptionData &o : in) o = {5 + random_number(s) % 250 / 10.0f, 1 + random_number(s) % 990 / 10.0f, 0.25f + random_number(s) % 970 / 100.0f, 0.02f, 0.3f};
  Device<OptionData> d_in(in);
  Device<float2> d_out(50);
  black_scholes<<<1, 32>>>(d_out, d_in, 50);
  auto out = d_out.host();
  int wrong = 0;
  for (int i = 0; i < 50; ++i) {
    float call, put;
    options(call, put, in[i]);
    wrong += std::fabs(out[i].x - call) > 1e-4 || std::fabs(out[i].y - put) > 1e-4;
  }
  auto image = random_values<float>(256, 200);
  Device<float> d_image(image), d_dct(256), d_rows(256);
  dct<<<dim3(2, 2), 8>>>(d_dct, d_image, 16);
  auto transformed = d_dct.host();
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      double sum = 0;
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) sum += image[(8 + y) * 16 + x] * std::cos((2 * x + 1) * u * M_PI / 16) * std::cos((2 * y + 1) * v * M_PI / 16);
      sum *= 0.25 * (u ? 1 : M_SQRT1_2) * (v ? 1 : M_SQRT1_2);
      wrong += std::fabs(transformed[(8 + v) * 16 + u] - sum) > 1e-2;
    }
  float kernel[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  cudaMemcpyToSymbol(c_Kernel, kernel, sizeof kernel);
  convolve_rows<<<dim3(2, 4), 52>>>(d_rows, d_image, 64);
  auto rows = d_rows.host();
  for (int i = 0; i < 256; ++i) {
    float sum = 0;
    for (int k = -4; k <= 4; ++k) if (i % 64 + k >= 0 && i % 64 + k < 64) sum += image[i + k] * kernel[4 - k];
    wrong += rows[i] != sum;
  }
  const int n = 8;
  std::vector<float> d(n, 2), off(n, -1);
  Device<float> d_d(d), d_s(off), d_e(n);
  eigenvalues<<<1, n>>>(d_d, d_s, n, d_e, 0, 4);
  auto e = d_e.host();
  for (int k = 0; k < n; ++k) wrong += std::fabs(e[k] - (2 - 2 * std::cos((k + 1) * M_PI / (n + 1)))) > 1e-4;
  return wrong;
}
