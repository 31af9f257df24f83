// Integers and floats: intrinsics, conversions, ciphers and digests, generators, complex numbers, large formulas.
#include "features.h"
#include <cuda_fp16.h>

#define BOTH __host__ __device__

__global__ void bit_intrinsics(const unsigned *in, unsigned *out) {
  unsigned x = in[threadIdx.x], y = x * 2654435761u + 12345, *o = out + threadIdx.x * 24;
  long long l = (long long)(((unsigned long long)x << 32) | y);
  int i = 0;
  o[i++] = __brev(x);
  o[i++] = __ffs(x);
  o[i++] = __clz(x);
  o[i++] = __popc(x);
  o[i++] = __byte_perm(x, y, 0x3715);
  o[i++] = __mul24(x, y);
  o[i++] = __umul24(x, y);
  o[i++] = __mulhi((int)x, (int)y);
  o[i++] = __umulhi(x, y);
  o[i++] = __sad(x, y, 7);
  o[i++] = __usad(x, y, 9);
  o[i++] = __funnelshift_l(x, y, 11);
  o[i++] = __clzll(l);
  o[i++] = __ffsll(l);
  o[i++] = __popcll(l);
  o[i++] = (unsigned)(__brevll(l) >> 13);
  o[i++] = (unsigned)(__umul64hi(l, l + y) >> 3);
  o[i++] = __hadd(x, y);
  o[i++] = __rhadd(x, y);
  o[i++] = __uhadd(x, y);
  o[i++] = __urhadd(x, y);
  o[i++] = (unsigned)(l / (y | 1)) ^ (unsigned)(l % (int)(x | 1)) ^ (unsigned)(l >> 7);
  o[i++] = max((int)x, (int)y) ^ umin(x, y) ^ abs((int)y);
  o[i++] = (x << 7 | x >> 25) + (y >> (x & 31)) + ((int)y >> (x & 31)) + x / (y >> 8 | 1) + x % (y >> 20 | 1);
}
FEATURE(bit_intrinsics, "__brev, __ffs, __clz, __popc, __byte_perm, __mul24, __umulhi, __sad, __hadd, 64-bit integers") {
  auto in = random_values<unsigned>(32, 1 << 24);
  for (int k = 0; k < 32; ++k) in[k] = k < 3 ? k : in[k] << (k & 7) ^ in[k] >> 3;
  Device<unsigned> d_in(in), d_out(32 * 24);
  bit_intrinsics<<<1, 32>>>(d_in, d_out);
  std::vector<unsigned> e;
  for (unsigned x : in) {
    unsigned y = x * 2654435761u + 12345, r = 0;
    unsigned long long u = ((unsigned long long)x << 32) | y, ur = 0;
    long long l = (long long)u;
    for (int k = 0; k < 32; ++k) r |= (x >> k & 1) << (31 - k);
    for (int k = 0; k < 64; ++k) ur |= (u >> k & 1) << (63 - k);
    unsigned char b[8];
    memcpy(b, &x, 4);
    memcpy(b + 4, &y, 4);
    int sx = (int)(x << 8) >> 8, sy = (int)(y << 8) >> 8;
    unsigned difference = (int)x > (int)y ? x - y : y - x, udifference = x > y ? x - y : y - x;
    unsigned all[] = {r, (unsigned)__builtin_ffs(x), x ? (unsigned)__builtin_clz(x) : 32, (unsigned)__builtin_popcount(x),
                      b[5] | b[1] << 8 | b[7] << 16 | (unsigned)b[3] << 24, (unsigned)(sx * sy), (x & 0xffffff) * (y & 0xffffff),
                      (unsigned)((long long)(int)x * (int)y >> 32), (unsigned)((unsigned long long)x * y >> 32), difference + 7, udifference + 9,
                      y << 11 | x >> 21, u ? (unsigned)__builtin_clzll(u) : 64, (unsigned)__builtin_ffsll(u), (unsigned)__builtin_popcountll(u),
                      (unsigned)(ur >> 13), (unsigned)((unsigned long long)((unsigned __int128)u * (u + y) >> 64) >> 3),
                      (unsigned)(((long long)(int)x + (int)y) >> 1), (unsigned)(((long long)(int)x + (int)y + 1) >> 1),
                      (unsigned)(((unsigned long long)x + y) >> 1), (unsigned)(((unsigned long long)x + y + 1) >> 1),
                      (unsigned)(l / (y | 1)) ^ (unsigned)(l % (int)(x | 1)) ^ (unsigned)(l >> 7),
                      (unsigned)((int)x > (int)y ? x : y) ^ (x < y ? x : y) ^ ((int)y < 0 ? -y : y),
                      (x << 7 | x >> 25) + (y >> (x & 31)) + ((int)y >> (x & 31)) + x / (y >> 8 | 1) + x % (y >> 20 | 1)};
    e.insert(e.end(), all, all + 24);
  }
  return differences(d_out.host(), e);
}

__global__ void inline_ptx(const unsigned *in, unsigned *out) {
  unsigned x = in[threadIdx.x], lane, field, low, high, smid;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(smid));
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(5), "r"(9));
  asm("{\n\tadd.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, 0;\n\t}" : "=r"(low), "=r"(high) : "r"(x), "r"(0xf0000000u), "r"(x >> 4));
  unsigned inserted;
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(inserted) : "r"(x), "r"(low));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + threadIdx.x));
  unsigned vote;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1000000; vote.ballot.b32 %0, p; }" : "=r"(vote) : "r"(x));
  unsigned m0, m1, m2;
  asm("mul.lo.u32 %0, %3, %4; mul.hi.u32 %1, %3, %4; mad.lo.cc.u32 %0, %3, %5, %0; madc.hi.u32 %1, %3, %5, %1; addc.u32 %2, 0, 0;"
      : "=&r"(m0), "=&r"(m1), "=&r"(m2) : "r"(x), "r"(0x12345679u), "r"(0xfffffff1u));
  out[threadIdx.x] = lane + 100 * smid + field + high * 3 + inserted + vote + m0 + m1;
}
FEATURE(inline_ptx, "inline PTX: special registers, bfe, bfi, add.cc, mad.cc, prefetch, vote (SDK inlinePTX)") {
  auto in = random_values<unsigned>(64, 1 << 24);
  Device<unsigned> d_in(in), d_out(64);
  inline_ptx<<<1, 64>>>(d_in, d_out);
  std::vector<unsigned> e(64);
  for (int t = 0; t < 64; ++t) {
    unsigned x = in[t], low = x + 0xf0000000u, high = (x >> 4) + (low < x), vote = 0;
    for (int k = 0; k < 32; ++k) vote |= (unsigned)(in[(t & ~31) + k] > 1000000) << k;
    unsigned long long product = (unsigned long long)x * 0x12345679u, second = (unsigned long long)x * 0xfffffff1u;
    unsigned m0 = (unsigned)product + (unsigned)second, m1 = (unsigned)(product >> 32) + (unsigned)(second >> 32) + (m0 < (unsigned)product);
    e[t] = t % 32 + 100 * (t / 32) + (x >> 5 & 511) + high * 3 + ((low & ~(0xfffu << 8)) | (x & 0xfff) << 8) + vote + m0 + m1;
  }
  return differences(d_out.host(), e);
}

// MD5 with macros, as SHOC has it; SHA-1's schedule as StoreGPU.
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define FF(a, b, c, d, x, s, t) { a += ((b & c) | (~b & d)) + x + t; a = b + ROTATE(a, s); }
#define GG(a, b, c, d, x, s, t) { a += ((b & d) | (c & ~d)) + x + t; a = b + ROTATE(a, s); }
#define HH(a, b, c, d, x, s, t) { a += (b ^ c ^ d) + x + t; a = b + ROTATE(a, s); }
#define II(a, b, c, d, x, s, t) { a += (c ^ (b | ~d)) + x + t; a = b + ROTATE(a, s); }
inline BOTH void md5_rounds(const unsigned *w, unsigned *digest) {
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  #pragma unroll
  for (int i = 0; i < 16; i += 4) {
    FF(a, b, c, d, w[i], 7, 0xd76aa478u + i) FF(d, a, b, c, w[i + 1], 12, 0xe8c7b756u) FF(c, d, a, b, w[i + 2], 17, 0x242070dbu) FF(b, c, d, a, w[i + 3], 22, 0xc1bdceeeu)
  }
  for (int i = 0; i < 16; i += 4) {
    GG(a, b, c, d, w[(5 * i + 1) & 15], 5, 0xf61e2562u) GG(d, a, b, c, w[(5 * i + 6) & 15], 9, 0xc040b340u) GG(c, d, a, b, w[(5 * i + 11) & 15], 14, 0x265e5a51u) GG(b, c, d, a, w[5 * i & 15], 20, 0xe9b6c7aau)
    HH(a, b, c, d, w[(3 * i + 5) & 15], 4, 0xfffa3942u) HH(d, a, b, c, w[(3 * i + 8) & 15], 11, 0x8771f681u) HH(c, d, a, b, w[(3 * i + 11) & 15], 16, 0x6d9d6122u) HH(b, c, d, a, w[(3 * i + 14) & 15], 23, 0xfde5380cu)
    II(a, b, c, d, w[7 * i & 15], 6, 0xf4292244u) II(d, a, b, c, w[(7 * i + 7) & 15], 10, 0x432aff97u) II(c, d, a, b, w[(7 * i + 14) & 15], 15, 0xab9423a7u) II(b, c, d, a, w[(7 * i + 21) & 15], 21, 0xfc93a039u)
  }
  digest[0] = a + 0x67452301; digest[1] = b; digest[2] = c; digest[3] = d;
}
inline BOTH void sha_rounds(const unsigned char *text, unsigned *digest) {
  unsigned w[80], a = digest[0], b = digest[1], c = digest[2], d = digest[3], e = digest[4];
  for (int i = 0; i < 16; ++i) w[i] = text[4 * i] << 24 | text[4 * i + 1] << 16 | text[4 * i + 2] << 8 | text[4 * i + 3];
  for (int i = 16; i < 80; ++i) {
    unsigned x = w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16];
    w[i] = ROTATE(x, 1);
  }
  for (int i = 0; i < 80; ++i) {
    unsigned f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
    unsigned k = i < 20 ? 0x5a827999u : i < 40 ? 0x6ed9eba1u : i < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
    unsigned t = ROTATE(a, 5) + f + e + k + w[i];
    e = d; d = c; c = ROTATE(b, 30); b = a; a = t;
  }
  digest[0] += a; digest[1] += b; digest[2] += c; digest[3] += d; digest[4] += e;
}
__global__ void digests(const unsigned *in, unsigned *out) {
  const unsigned *w = in + threadIdx.x * 16;
  unsigned *o = out + threadIdx.x * 9;
  md5_rounds(w, o);
  unsigned state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  sha_rounds((const unsigned char *)w, state);
  for (int i = 0; i < 5; ++i) o[4 + i] = state[i];
}
FEATURE(digests, "MD5 by macros and SHA-1: rotations, words of bytes, a schedule in local memory (SHOC MD5Hash, ISPASS STO)") {
  auto in = random_values<unsigned>(32 * 16, 1 << 24);
  Device<unsigned> d_in(in), d_out(32 * 9);
  digests<<<1, 32>>>(d_in, d_out);
  std::vector<unsigned> e(32 * 9);
  for (int t = 0; t < 32; ++t) {
    md5_rounds(&in[16 * t], &e[9 * t]);
    unsigned state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    sha_rounds((const unsigned char *)&in[16 * t], state);
    memcpy(&e[9 * t + 4], state, 20);
  }
  return differences(d_out.host(), e);
}

// A round of AES by tables in shared memory, four threads a block of text.
__constant__ unsigned t_box[256];
__global__ void cipher_tables(const unsigned *in, unsigned *out, const unsigned *keys, int rounds) {
  __shared__ unsigned box[256];
  __shared__ uchar4 state[2][64];
  int t = threadIdx.x, row = t & 3, base = t & ~3;
  for (int i = t; i < 256; i += blockDim.x) box[i] = t_box[i];
  unsigned word = in[blockIdx.x * 64 + t] ^ keys[row];
  state[0][t] = make_uchar4(word, word >> 8, word >> 16, word >> 24);
  for (int r = 1; r <= rounds; ++r) {
    __syncthreads();
    uchar4 *now = state[(r - 1) & 1];
    unsigned a = box[now[base + row].x], b = box[now[base + ((row + 1) & 3)].y], c = box[now[base + ((row + 2) & 3)].z], d = box[now[base + ((row + 3) & 3)].w];
    word = a ^ (b << 8 | b >> 24) ^ __byte_perm(c, c, 0x1032) ^ (d << 24 | d >> 8) ^ keys[4 * r + row];
    state[r & 1][t] = *(uchar4 *)&word;
  }
  out[blockIdx.x * 64 + t] = word;
}
FEATURE(cipher_tables, "a cipher by tables in constant and shared memory, bytes of uchar4, words read as other types (ISPASS AES)") {
  auto in = random_values<unsigned>(128, 1 << 24), keys = random_values<unsigned>(16, 1 << 24, 5), box = random_values<unsigned>(256, 1 << 24, 9);
  cudaMemcpyToSymbol(t_box, box.data(), 1024);
  Device<unsigned> d_in(in), d_out(128), d_keys(keys);
  cipher_tables<<<2, 64>>>(d_in, d_out, d_keys, 3);
  std::vector<unsigned> e(128);
  for (int g = 0; g < 128; g += 4) {
    unsigned s[4], n[4];
    for (int r = 0; r < 4; ++r) s[r] = in[g + r] ^ keys[r];
    for (int k = 1; k <= 3; ++k) {
      for (int r = 0; r < 4; ++r) {
        unsigned a = box[s[r] & 255], b = box[s[(r + 1) & 3] >> 8 & 255], c = box[s[(r + 2) & 3] >> 16 & 255], d = box[s[(r + 3) & 3] >> 24];
        n[r] = a ^ ROTATE(b, 8) ^ ROTATE(c, 16) ^ ROTATE(d, 24) ^ keys[4 * k + r];
      }
      memcpy(s, n, 16);
    }
    memcpy(&e[g], s, 16);
  }
  return differences(d_out.host(), e);
}

// Bit-sliced S-box layers: 32 blocks in the bits of words.
BOTH inline void sliced(unsigned *b) {
  for (int round = 0; round < 4; ++round) {
    unsigned t1 = b[0] ^ b[3], t2 = b[1] & t1, t3 = ~b[2] | t2, t4 = b[4] ^ t3;
    b[0] = t4; b[1] ^= b[5] & b[6]; b[2] = t1 ^ b[7]; b[3] = t3; b[4] ^= t2; b[5] = ~b[6] ^ t4; b[6] = t1 | b[1]; b[7] ^= b[3];
    unsigned r = b[0];
    for (int i = 0; i < 7; ++i) b[i] = b[i + 1];
    b[7] = ROTATE(r, 3);
  }
}
__global__ void bit_sliced(const unsigned *in, unsigned *out) {
  unsigned b[8];
  for (int i = 0; i < 8; ++i) b[i] = in[threadIdx.x + 32 * i];
  sliced(b);
  for (int i = 0; i < 8; ++i) out[threadIdx.x + 32 * i] = b[i];
}
FEATURE(bit_sliced, "bit-sliced logic in a small array of registers") {
  auto in = random_values<unsigned>(256, 1 << 24);
  Device<unsigned> d_in(in), d_out(256);
  bit_sliced<<<1, 32>>>(d_in, d_out);
  std::vector<unsigned> e(256);
  for (int t = 0; t < 32; ++t) {
    unsigned b[8];
    for (int i = 0; i < 8; ++i) b[i] = in[t + 32 * i];
    sliced(b);
    for (int i = 0; i < 8; ++i) e[t + 32 * i] = b[i];
  }
  return differences(d_out.host(), e);
}

// Generators: Mersenne twister, XORWOW, a 64-bit congruence, Sobol numbers, with Box-Muller.
struct State { unsigned d, v[5]; float boxmuller_extra; int boxmuller_flag; };
BOTH inline unsigned xorwow(State *s) {
  unsigned t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1]; s->v[1] = s->v[2]; s->v[2] = s->v[3]; s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->v[4] + s->d;
}
BOTH inline void twister(unsigned *mt, unsigned *out, int n) {
  for (int i = 0, state = 0, m = 9; i < n; ++i) {
    unsigned x = (mt[state] & 0xfffffffeu) | (mt[(state + 1) % 19] & 1u);
    x = mt[(state + m) % 19] ^ (x >> 1) ^ ((x & 1) ? 0x9908b0dfu : 0);
    mt[state] = x;
    state = state + 1 < 19 ? state + 1 : 0;
    x ^= x >> 12; x ^= (x << 7) & 0x9d2c5680u; x ^= (x << 15) & 0xefc60000u; x ^= x >> 18;
    out[i] = x;
  }
}
__global__ void generators(State *states, unsigned *out, float *normal, const unsigned *directions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  State s = states[i];
  unsigned mt[19];
  for (int k = 0; k < 19; ++k) mt[k] = xorwow(&s);
  twister(mt, out + 24 * i, 20);
  unsigned long long congruence = 1234567 + i;
  for (int k = 0; k < 5; ++k) congruence = congruence * 6364136223846793005ull + 1442695040888963407ull;
  out[24 * i + 20] = (unsigned)(congruence >> 33);
  unsigned sobol = 0;
  for (int k = 0, gray = i ^ i >> 1; gray; gray >>= 1, ++k) if (gray & 1) sobol ^= directions[k];
  out[24 * i + 21] = sobol;
  float u1 = (xorwow(&s) + 1.0f) * 2.3283064e-10f, u2 = xorwow(&s) * 2.3283064e-10f;
  float r = sqrtf(-2.0f * logf(u1)), phi = 6.2831853f * u2;
  normal[2 * i] = r * __cosf(phi);
  normal[2 * i + 1] = r * __sinf(phi);
  s.boxmuller_extra = normal[2 * i + 1];
  s.boxmuller_flag = 1;
  states[i] = s;
}
FEATURE(generators, "random numbers written out: XORWOW states in memory, Mersenne twister, congruence, Sobol, Box-Muller (SDK, curand-like)") {
  std::vector<State> states(64);
  unsigned seed = 5;
  for (State &s : states) for (unsigned &v : s.v) v = random_number(seed) * 77777;
  auto directions = random_values<unsigned>(32, 1 << 24);
  Device<State> d_states(states);
  Device<unsigned> d_out(64 * 24), d_directions(directions);
  Device<float> d_normal(128);
  generators<<<2, 32>>>(d_states, d_out, d_normal, d_directions);
  std::vector<unsigned> e(64 * 24);
  std::vector<float> normal(128);
  for (int i = 0; i < 64; ++i) {
    State &s = states[i];
    unsigned mt[19];
    for (unsigned &m : mt) m = xorwow(&s);
    twister(mt, &e[24 * i], 20);
    unsigned long long c = 1234567 + i;
    for (int k = 0; k < 5; ++k) c = c * 6364136223846793005ull + 1442695040888963407ull;
    e[24 * i + 20] = (unsigned)(c >> 33);
    for (int k = 0; k < 6; ++k) if ((i ^ i >> 1) >> k & 1) e[24 * i + 21] ^= directions[k];
    float u1 = (xorwow(&s) + 1.0f) * 2.3283064e-10f, u2 = xorwow(&s) * 2.3283064e-10f;
    normal[2 * i] = std::sqrt(-2 * std::log(u1)) * std::cos(6.2831853f * u2);
    normal[2 * i + 1] = std::sqrt(-2 * std::log(u1)) * std::sin(6.2831853f * u2);
  }
  auto after = d_states.host();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += memcmp(after[i].v, states[i].v, 20) != 0 || after[i].boxmuller_flag != 1;
  return wrong + differences(d_out.host(), e) + far_off(d_normal.host(), normal, 2e-5);
}

__global__ void float_intrinsics(const float *in, float *out, double *d_out) {
  float x = in[threadIdx.x], y = fabsf(x) + 0.5f, *o = out + threadIdx.x * 28;
  int i = 0;
  o[i++] = __fdividef(x, y);
  o[i++] = __saturatef(x);
  o[i++] = __expf(x * 0.25f);
  o[i++] = __logf(y);
  o[i++] = __powf(y, 1.5f);
  o[i++] = __sinf(x);
  o[i++] = __fmul_rn(x, y);
  o[i++] = __fadd_rn(x, y);
  o[i++] = __frcp_rn(y);
  o[i++] = __fsqrt_rn(y);
  o[i++] = __frsqrt_rn(y);
  o[i++] = __int_as_float(__float_as_int(x) ^ 0x80000000);
  o[i++] = __float2int_rn(x) + 100 * __float2int_rz(x);
  o[i++] = __float2int_ru(x) + 100 * __float2int_rd(x);
  o[i++] = __float2uint_rn(y) + __uint2float_rn(threadIdx.x) + __int2float_rn(-3);
  o[i++] = rsqrtf(y) + rintf(x) + truncf(x) + floorf(x) + ceilf(x) + roundf(x);
  o[i++] = fmaf(x, y, 1.0f) + fdimf(x, 1.0f) + copysignf(y, x);
  o[i++] = exp2f(x) + log2f(y) + log10f(y) + exp10f(x * 0.1f) + __log2f(y) + __log10f(y) + __exp10f(0.1f * x);
  float s, c;
  sincosf(x, &s, &c);
  o[i++] = s + 2 * c;
  __sincosf(x, &s, &c);
  o[i++] = s - c;
  o[i++] = powf(y, x) + tanhf(x) + atan2f(x, y) + hypotf(x, y) + cbrtf(x);
  o[i++] = sinpif(x) + cospif(x);
  o[i++] = erff(x) + normcdff(x) + rcbrtf(y);
  o[i++] = fmodf(x, 0.75f) + (isnan(x) || isinf(y) ? 1.0f : 0.0f) + (signbit(x) ? 1.0f : 0.0f);
  o[i++] = __half2float(__float2half(x)) + __half2float(__float2half_rn(x * 1e-6f)) * 1e6f;
  int e;
  o[i++] = frexpf(y, &e) + e + ldexpf(x, 3) + scalbnf(x, -2) + ilogbf(y) + logbf(y);
  o[i++] = fminf(x, y) + fmaxf(x, 0.1f) + min(x, 2.0f) + max(y, 3.0f);
  o[i++] = tgammaf(y) + lgammaf(y) + expm1f(x) + log1pf(y) + sinhf(x) + asinhf(x);
  double d = x * 1.37, *p = d_out + threadIdx.x * 4;
  p[0] = __hiloint2double(__double2hiint(d) ^ 0x80000000, __double2loint(d)) + __longlong_as_double(__double_as_longlong(d) + 1);
  p[1] = __double2int_rn(d) + 100.0 * __double2int_rz(d) + __int2double_rn(threadIdx.x) + (double)(long long)(d * 1e9) + __double2float_rn(d) + __drcp_rn(d + 100);
  p[2] = sqrt(fabs(d)) + exp(d * 0.1) + log((double)y) + sin(d) + cos(d) + pow((double)y, 2.5) + fma(d, d, 1.0) + rsqrt((double)y);
  p[3] = floor(d) + ceil(d) + fmod(d, 0.7) + atan(d) + tanh(d) + fmin(d, 1.0) + __ddiv_rn(d, 3.0) + __dsqrt_rn(y) + erf(d * 0.5) + cbrt(d);
}
FEATURE(float_intrinsics, "approximate and exact float functions, conversions with roundings, half precision, parts of doubles") {
  auto in = random_values<float>(32, 4000);
  for (float &x : in) x = (x - 2000) / 500.0f;
  Device<float> d_in(in), d_out(32 * 28);
  Device<double> d_double(32 * 4);
  float_intrinsics<<<1, 32>>>(d_in, d_out, d_double);
  auto out = d_out.host();
  auto doubles = d_double.host();
  int wrong = 0;
  for (int t = 0; t < 32; ++t) {
    double x = in[t], y = std::fabs(in[t]) + 0.5f;
    int e;
    double half = std::frexp(x, &e);
    half = std::ldexp(std::nearbyint(half * 2048) / 2048, e);
    double m = std::frexp(y, &e);
    double expected[] = {x / y, x < 0 ? 0 : x > 1 ? 1 : x, std::exp(x * 0.25), std::log(y), std::pow(y, 1.5), std::sin(x), x * y, x + y, 1 / y, std::sqrt(y), 1 / std::sqrt(y), -x,
      std::nearbyint(x) + 100 * std::trunc(x), std::ceil(x) + 100 * std::floor(x), std::nearbyint(y) + t - 3,
      1 / std::sqrt(y) + std::nearbyint(x) + std::trunc(x) + std::floor(x) + std::ceil(x) + std::round(x),
      x * y + 1 + std::fmax(x - 1, 0) + std::copysign(y, x),
      std::exp2(x) + 2 * std::log2(y) + 2 * std::log10(y) + 2 * std::pow(10, 0.1 * x), std::sin(x) + 2 * std::cos(x), std::sin(x) - std::cos(x),
      std::pow(y, x) + std::tanh(x) + std::atan2(x, y) + std::hypot(x, y) + std::cbrt(x), std::sin(M_PI * x) + std::cos(M_PI * x),
      std::erf(x) + 0.5 * std::erfc(-x * M_SQRT1_2) + 1 / std::cbrt(y), std::fmod(in[t], 0.75) + (std::signbit(x) ? 1 : 0), half + std::nearbyint((double)(in[t] * 1e-6f) * (1 << 24)) / (1 << 24) * 1e6,
      m + e + 8 * x + x / 4 + 2 * std::floor(std::log2(y)), std::fmin(x, y) + std::fmax(x, 0.1) + std::fmin(x, 2) + std::fmax(y, 3),
      std::tgamma(y) + std::lgamma(y) + std::expm1(x) + std::log1p(y) + std::sinh(x) + std::asinh(x)};
    for (int i = 0; i < 28; ++i) if (!close_to(out[28 * t + i], expected[i], 1e-5)) {
      wrong++;
      if (getenv("SHOW")) printf("float %d of %g: %.9g, not %.9g\n", i, x, out[28 * t + i], expected[i]);
    }
    double d = in[t] * 1.37;
    long long bits;
    memcpy(&bits, &d, 8);
    ++bits;
    double next;
    memcpy(&next, &bits, 8);
    double of[] = {-d + next, std::nearbyint(d) + 100 * std::trunc(d) + t + std::trunc(d * 1e9) + (float)d + 1 / (d + 100),
      std::sqrt(std::fabs(d)) + std::exp(d * 0.1) + std::log(y) + std::sin(d) + std::cos(d) + std::pow(y, 2.5) + d * d + 1 + 1 / std::sqrt(y),
      std::floor(d) + std::ceil(d) + std::fmod(d, 0.7) + std::atan(d) + std::tanh(d) + std::fmin(d, 1) + d / 3 + std::sqrt(y) + std::erf(d * 0.5) + std::cbrt(d)};
    for (int i = 0; i < 4; ++i) if (!close_to(doubles[4 * t + i], of[i], 1e-13)) {
      wrong++;
      if (getenv("SHOW")) printf("double %d of %g: %.17g, not %.17g\n", i, x, doubles[4 * t + i], of[i]);
    }
  }
  return wrong;
}

// Complex numbers with operators, in an FFT of 64 points in registers and shared memory (SHOC, Parboil).
struct Complex {
  float x, y;
  BOTH Complex operator*(const Complex &o) const { return {x * o.x - y * o.y, x * o.y + y * o.x}; }
  BOTH Complex operator+(Complex o) const { return {x + o.x, y + o.y}; }
  BOTH Complex operator-(Complex o) const { return {x - o.x, y - o.y}; }
  BOTH Complex &operator*=(float f) { x *= f; y *= f; return *this; }
};
__device__ inline Complex exp_i(float phi) { return {__cosf(phi), __sinf(phi)}; }
__device__ void fft2(Complex *a, Complex *b) { Complex t = *a; *a = t + *b; *b = t - *b; }
__device__ void fft4(Complex *a0, Complex *a1, Complex *a2, Complex *a3) {
  fft2(a0, a2); fft2(a1, a3);
  *a3 = *a3 * Complex{0, -1};
  fft2(a0, a1); fft2(a2, a3);
}
__device__ void fft8(Complex *a) {
  const float s = 0.70710678f;
  fft2(&a[0], &a[4]); fft2(&a[1], &a[5]); fft2(&a[2], &a[6]); fft2(&a[3], &a[7]);
  a[5] = Complex{1, -1} * a[5]; a[5] *= s;
  a[6] = a[6] * Complex{0, -1};
  a[7] = Complex{-1, -1} * a[7]; a[7] *= s;
  fft4(&a[0], &a[1], &a[2], &a[3]); fft4(&a[4], &a[5], &a[6], &a[7]);
}
__global__ void fft64(Complex *work) {
  __shared__ float shared[4][72];
  int t = threadIdx.x & 7, group = threadIdx.x >> 3;
  Complex *data = work + (blockIdx.x * 4 + group) * 64, a[8];
  float *s = shared[group];
  const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (int i = 0; i < 8; ++i) a[i] = data[t + 8 * i];
  fft8(a);
  #pragma unroll
  for (int i = 1; i < 8; ++i) a[i] = a[i] * exp_i(-6.2831853f * reversed[i] * t / 64.0f);
  for (int i = 0; i < 8; ++i) s[reversed[i] * 9 + t] = a[i].x;
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i].x = s[t * 9 + i];
  __syncthreads();
  for (int i = 0; i < 8; ++i) s[reversed[i] * 9 + t] = a[i].y;
  __syncthreads();
  for (int i = 0; i < 8; ++i) a[i].y = s[t * 9 + i];
  fft8(a);
  #pragma unroll
  for (int i = 0; i < 8; ++i) data[t + 8 * reversed[i]] = a[i];
}
FEATURE(fft64, "complex numbers with operators, FFT in registers, transposes through shared memory (SHOC FFT, Parboil fft)") {
  std::vector<Complex> in(256);
  unsigned seed = 3;
  for (Complex &c : in) c = {random_number(seed) % 100 / 100.0f, random_number(seed) % 100 / 100.0f};
  Device<Complex> d(in);
  fft64<<<1, 32>>>(d);
  auto out = d.host();
  int wrong = 0;
  for (int g = 0; g < 4; ++g)
    for (int k = 0; k < 64; ++k) {
      double x = 0, y = 0;
      for (int n = 0; n < 64; ++n) {
        double c = std::cos(-2 * M_PI * k * n / 64), s = std::sin(-2 * M_PI * k * n / 64);
        x += in[64 * g + n].x * c - in[64 * g + n].y * s;
        y += in[64 * g + n].x * s + in[64 * g + n].y * c;
      }
      wrong += std::fabs(out[64 * g + k].x - x) > 1e-3 || std::fabs(out[64 * g + k].y - y) > 1e-3;
    }
  return wrong;
}

// Long formulas in double precision with macros over strides, as S3D's; and in single precision with many parameters, as myocyte's.
#define T(i) t[(i) * stride]
#define K(q) rf[(q) * stride]
#define ARRHENIUS(q, a, b, e) K(q) = exp((a) + (b) * log_t - (e) / temperature)
template <class real> BOTH inline void rates(const real *t, real *rf, int stride) {
  real temperature = T(0), log_t = log(temperature), smh[8];
  ARRHENIUS(0, (real)3.5, (real)-0.41, (real)16.6); ARRHENIUS(1, (real)1.0, (real)0.67, (real)6.29);
  ARRHENIUS(2, (real)2.1, (real)0.5, (real)3.4); ARRHENIUS(3, (real)1.5, (real)-0.2, (real)-1.9);
  for (int i = 0; i < 8; ++i) smh[i] = T(i) / (1 + i) + temperature * ((real)0.01 * i + temperature * (real)1e-4);
  real eq = exp(smh[0] - smh[1] * (real)0.01), low = K(0) + K(1) * eq, pressure = low / (low + K(2) + (real)1e-20);
  real fc = log10(fmax(pressure * (real)0.7 + (real)0.1, (real)1e-30));
  real fcent = fc / (1 + fc * fc), broad = pow((real)10, fcent);
  K(4) = pressure / (1 + pressure) * broad; K(5) = K(4) * smh[3] / (smh[4] + 1); K(6) = sqrt(fabs(K(5))) + cbrt(smh[5]); K(7) = smh[6] > smh[7] ? K(6) : -K(6);
}
template <class real> __global__ void long_formulas(const real *in, real *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rates(in + i, out + i, n);
}
FEATURE(long_formulas, "long formulas in double and single precision by macros (SHOC S3D, Rodinia myocyte)") {
  auto in = random_values<double>(8 * 40, 300);
  std::vector<float> f_in(8 * 40);
  for (size_t i = 0; i < in.size(); ++i) f_in[i] = in[i] = 1 + in[i] / 100;
  Device<double> d_in(in), d_out(8 * 40);
  Device<float> d_f(f_in), d_f_out(8 * 40);
  long_formulas<double><<<2, 32>>>(d_in, d_out, 40);
  long_formulas<float><<<2, 32>>>(d_f, d_f_out, 40);
  std::vector<double> e(8 * 40);
  std::vector<float> f(8 * 40);
  for (int i = 0; i < 40; ++i) {
    rates(&in[i], &e[i], 40);
    rates(&f_in[i], &f[i], 40);
  }
  return far_off(d_out.host(), e, 1e-11) + far_off(d_f_out.host(), f, 1e-4);
}

// Every function of double precision against the host's.
#define DOUBLE_FUNCTIONS(each)                                                                                                                        \
  each(acos, s) each(acosh, g) each(asin, s) each(asinh, x) each(atan, x) each(atanh, s) each(cbrt, x) each(ceil, x) each(cos, x) each(cosh, x)       \
  each(erf, x) each(erfc, x) each(exp, x) each(exp2, x) each(expm1, x) each(fabs, x) each(floor, x) each(lgamma, g) each(log, g) each(log10, g)       \
  each(log1p, g) each(log2, g) each(logb, x) each(nearbyint, x) each(rint, x) each(round, x) each(sin, x) each(sinh, x) each(sqrt, g) each(tan, x)    \
  each(tanh, x) each(tgamma, g) each(trunc, x)
enum {
#define NAME(name, argument) function_##name,
  DOUBLE_FUNCTIONS(NAME)
#undef NAME
  double_functions_count
};
// A third of them at a time: each is written out where it is called.
template <int part> __global__ void double_functions(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], s = x / 8.5, g = fabs(x) + 1.03125;
#define CALL(name, argument) if (function_##name % 3 == part) out[function_##name * n + i] = name(argument);
  DOUBLE_FUNCTIONS(CALL)
#undef CALL
  if (part == 0) out[double_functions_count * n + i] = pow(g, x) + atan2(x, s + 3) + fmod(x, s) + hypot(x, g) + remainder(x, 1.25) + ldexp(x, 7) + nextafter(x, 100.0) + exp10(x);
}
FEATURE(double_functions, "the functions of mathematics in double precision") {
  const int n = 64;
  std::vector<double> in(n), e((double_functions_count + 1) * n);
  unsigned seed = 11;
  for (int i = 0; i < n; ++i) {
    double x = in[i] = (int)(random_number(seed) % 16000 - 8000) / 1000.0 + 0.000123, s = x / 8.5, g = std::fabs(x) + 1.03125;
    double all[] = {
#define VALUE(name, argument) std::name(argument),
      DOUBLE_FUNCTIONS(VALUE)
#undef VALUE
      std::pow(g, x) + std::atan2(x, s + 3) + std::fmod(x, s) + std::hypot(x, g) + std::remainder(x, 1.25) + std::ldexp(x, 7) + std::nextafter(x, 100.0) + std::pow(10.0, x)};
    for (int f = 0; f <= double_functions_count; ++f) e[f * n + i] = all[f];
  }
  Device<double> d_in(in), d_out(e.size());
  double_functions<0><<<2, 32>>>(d_in, d_out, n);
  double_functions<1><<<2, 32>>>(d_in, d_out, n);
  double_functions<2><<<2, 32>>>(d_in, d_out, n);
  auto out = d_out.host();
  int wrong = 0;
  for (size_t k = 0; k < e.size(); ++k)
    if (!(std::fabs(out[k] - e[k]) <= 2e-14 * std::fabs(e[k]) + 2e-14)) {
      ++wrong;
      if (getenv("SHOW")) printf("function %zu of %g: %.17g, not %.17g\n", k / n, in[k % n], out[k], e[k]);
    }
  return wrong;
}
