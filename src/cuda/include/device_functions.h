// What device code calls beside mathematics: barriers, atomics, threads of a warp, bits.
#ifndef WARPMESH_DEVICE_FUNCTIONS_H
#define WARPMESH_DEVICE_FUNCTIONS_H
#pragma GCC system_header

#include "device_launch_parameters.h"

// -- barriers and fences

// Not the compiler's own functions: clang before 15 takes them for ones that leave variables alone whose addresses nobody has, and moves a load of such a
// `__shared__` variable from behind a barrier to before it.
WARPMESH_DEVICE void warpmesh_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() warpmesh_syncthreads()
WARPMESH_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
WARPMESH_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
WARPMESH_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
#define WARPMESH_BARRIER(name, operation)                                                                     \
  WARPMESH_DEVICE int name(int predicate) {                                                                   \
    int result;                                                                                               \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; " operation " }" : "=r"(result) : "r"(predicate) : "memory"); \
    return result;                                                                                            \
  }
WARPMESH_BARRIER(__syncthreads_count, "bar.red.popc.u32 %0, 0, p;")
WARPMESH_BARRIER(__syncthreads_and, "bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q;")
WARPMESH_BARRIER(__syncthreads_or, "bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q;")
#undef WARPMESH_BARRIER
WARPMESH_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory"); }
WARPMESH_DEVICE void __trap() { asm volatile("trap;"); }
WARPMESH_DEVICE void __brkpt() { asm volatile("brkpt;"); }

// -- clocks

WARPMESH_DEVICE long long clock64() { long long now; asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)); return now; }
WARPMESH_DEVICE clock_t clock() { unsigned now; asm volatile("mov.u32 %0, %%clock;" : "=r"(now)); return (clock_t)now; }

// -- atomics

#define WARPMESH_ATOMIC(name, type, constraint, operation)                                                    \
  WARPMESH_DEVICE type name(type *address, type value) {                                                      \
    type old;                                                                                                 \
    asm volatile("atom." operation " %0, [%1], %2;" : "=" constraint(old) : "l"(address), constraint(value) : "memory"); \
    return old;                                                                                               \
  }
#define WARPMESH_ATOMIC_SUB(type) WARPMESH_DEVICE type atomicSub(type *address, type value) { return atomicAdd(address, (type)(0 - value)); }

WARPMESH_ATOMIC(atomicAdd, int, "r", "add.s32")
WARPMESH_ATOMIC(atomicAdd, unsigned int, "r", "add.u32")
WARPMESH_ATOMIC(atomicAdd, unsigned long long, "l", "add.u64")
WARPMESH_ATOMIC(atomicAdd, float, "f", "add.f32")
WARPMESH_ATOMIC_SUB(int)
WARPMESH_ATOMIC_SUB(unsigned int)
WARPMESH_ATOMIC(atomicExch, int, "r", "exch.b32")
WARPMESH_ATOMIC(atomicExch, unsigned int, "r", "exch.b32")
WARPMESH_ATOMIC(atomicExch, unsigned long long, "l", "exch.b64")
WARPMESH_DEVICE float atomicExch(float *address, float value) { return __builtin_bit_cast(float, atomicExch((int *)address, __builtin_bit_cast(int, value))); }
WARPMESH_ATOMIC(atomicMin, int, "r", "min.s32")
WARPMESH_ATOMIC(atomicMin, unsigned int, "r", "min.u32")
WARPMESH_ATOMIC(atomicMin, long long, "l", "min.s64")
WARPMESH_ATOMIC(atomicMin, unsigned long long, "l", "min.u64")
WARPMESH_ATOMIC(atomicMax, int, "r", "max.s32")
WARPMESH_ATOMIC(atomicMax, unsigned int, "r", "max.u32")
WARPMESH_ATOMIC(atomicMax, long long, "l", "max.s64")
WARPMESH_ATOMIC(atomicMax, unsigned long long, "l", "max.u64")
WARPMESH_ATOMIC(atomicInc, unsigned int, "r", "inc.u32")
WARPMESH_ATOMIC(atomicDec, unsigned int, "r", "dec.u32")
WARPMESH_ATOMIC(atomicAnd, int, "r", "and.b32")
WARPMESH_ATOMIC(atomicAnd, unsigned int, "r", "and.b32")
WARPMESH_ATOMIC(atomicAnd, unsigned long long, "l", "and.b64")
WARPMESH_ATOMIC(atomicOr, int, "r", "or.b32")
WARPMESH_ATOMIC(atomicOr, unsigned int, "r", "or.b32")
WARPMESH_ATOMIC(atomicOr, unsigned long long, "l", "or.b64")
WARPMESH_ATOMIC(atomicXor, int, "r", "xor.b32")
WARPMESH_ATOMIC(atomicXor, unsigned int, "r", "xor.b32")
WARPMESH_ATOMIC(atomicXor, unsigned long long, "l", "xor.b64")

#define WARPMESH_CAS(type, constraint, operation)                                                                            \
  WARPMESH_DEVICE type atomicCAS(type *address, type compare, type value) {                                                  \
    type old;                                                                                                                \
    asm volatile("atom.cas." operation " %0, [%1], %2, %3;" : "=" constraint(old) : "l"(address), constraint(compare), constraint(value) : "memory"); \
    return old;                                                                                                              \
  }
WARPMESH_CAS(int, "r", "b32")
WARPMESH_CAS(unsigned int, "r", "b32")
WARPMESH_CAS(unsigned long long, "l", "b64")

// Double precision has no addition of its own: a loop of exchanges. A template, which gives way to a program's own function of this name.
template <int = 0> WARPMESH_DEVICE double atomicAdd(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = *(volatile unsigned long long *)bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __builtin_bit_cast(unsigned long long, __builtin_bit_cast(double, seen) + value));
  } while (old != seen);
  return __builtin_bit_cast(double, old);
}

#undef WARPMESH_ATOMIC
#undef WARPMESH_ATOMIC_SUB
#undef WARPMESH_CAS

// Scopes: an atomic operation is one for the whole chip, hence also for a block, and the host waits for the end of the kernel.
#define WARPMESH_SCOPES(name)                                                                                                   \
  template <class T, class V> WARPMESH_DEVICE T name##_block(T *address, V value) { return name(address, (T)value); }          \
  template <class T, class V> WARPMESH_DEVICE T name##_system(T *address, V value) { return name(address, (T)value); }
WARPMESH_SCOPES(atomicAdd)
WARPMESH_SCOPES(atomicSub)
WARPMESH_SCOPES(atomicExch)
WARPMESH_SCOPES(atomicMin)
WARPMESH_SCOPES(atomicMax)
WARPMESH_SCOPES(atomicInc)
WARPMESH_SCOPES(atomicDec)
WARPMESH_SCOPES(atomicAnd)
WARPMESH_SCOPES(atomicOr)
WARPMESH_SCOPES(atomicXor)
#undef WARPMESH_SCOPES
template <class T, class C, class V> WARPMESH_DEVICE T atomicCAS_block(T *address, C compare, V value) { return atomicCAS(address, (T)compare, (T)value); }
template <class T, class C, class V> WARPMESH_DEVICE T atomicCAS_system(T *address, C compare, V value) { return atomicCAS(address, (T)compare, (T)value); }

// -- votes

WARPMESH_DEVICE unsigned __activemask() { unsigned mask; asm volatile("activemask.b32 %0;" : "=r"(mask)); return mask; }
WARPMESH_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  unsigned votes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(votes) : "r"(predicate), "r"(mask));
  return votes;
}
#define WARPMESH_VOTE(name, operation)                                                                        \
  WARPMESH_DEVICE int name##_sync(unsigned mask, int predicate) {                                             \
    int result;                                                                                               \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." operation ".pred q, p, %2; selp.s32 %0, 1, 0, q; }" \
                 : "=r"(result) : "r"(predicate), "r"(mask));                                                 \
    return result;                                                                                            \
  }                                                                                                           \
  WARPMESH_DEVICE int name(int predicate) {                                                                   \
    int result;                                                                                               \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote." operation ".pred q, p; selp.s32 %0, 1, 0, q; }" \
                 : "=r"(result) : "r"(predicate));                                                            \
    return result;                                                                                            \
  }
WARPMESH_VOTE(__all, "all")
WARPMESH_VOTE(__any, "any")
#undef WARPMESH_VOTE
WARPMESH_DEVICE unsigned __ballot(int predicate) {
  unsigned votes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(votes) : "r"(predicate));
  return votes;
}

// -- shuffles: `bound` is the last lane of a segment of `width` lanes, and which bits of the lane's number count

#define WARPMESH_SHUFFLE(name, operation, lane_type, clamp)                                                                       \
  WARPMESH_DEVICE int name##_sync(unsigned mask, int value, lane_type lane, int width = 32) {                                     \
    int result;                                                                                                                   \
    asm volatile("shfl.sync." operation ".b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(value), "r"(lane), "r"((32 - width) << 8 | (clamp)), "r"(mask)); \
    return result;                                                                                                                \
  }                                                                                                                               \
  WARPMESH_DEVICE int name(int value, lane_type lane, int width = 32) {                                                           \
    int result;                                                                                                                   \
    asm volatile("shfl." operation ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(value), "r"(lane), "r"((32 - width) << 8 | (clamp))); \
    return result;                                                                                                                \
  }                                                                                                                               \
  WARPMESH_SHUFFLE_AS(name, unsigned, int, lane_type)                                                                             \
  WARPMESH_SHUFFLE_AS(name, float, int, lane_type)                                                                                \
  WARPMESH_SHUFFLE_WIDE(name, long long, lane_type)                                                                               \
  WARPMESH_SHUFFLE_WIDE(name, unsigned long long, lane_type)                                                                      \
  WARPMESH_SHUFFLE_WIDE(name, double, lane_type)
#define WARPMESH_SHUFFLE_AS(name, type, as, lane_type)                                                                            \
  WARPMESH_DEVICE type name##_sync(unsigned mask, type value, lane_type lane, int width = 32) {                                   \
    return __builtin_bit_cast(type, name##_sync(mask, __builtin_bit_cast(as, value), lane, width));                               \
  }                                                                                                                               \
  WARPMESH_DEVICE type name(type value, lane_type lane, int width = 32) {                                                         \
    return __builtin_bit_cast(type, name(__builtin_bit_cast(as, value), lane, width));                                            \
  }
#define WARPMESH_SHUFFLE_WIDE(name, type, lane_type)                                                                              \
  WARPMESH_DEVICE type name##_sync(unsigned mask, type value, lane_type lane, int width = 32) {                                   \
    int2 halves = __builtin_bit_cast(int2, value);                                                                                \
    halves.x = name##_sync(mask, halves.x, lane, width);                                                                          \
    halves.y = name##_sync(mask, halves.y, lane, width);                                                                          \
    return __builtin_bit_cast(type, halves);                                                                                      \
  }                                                                                                                               \
  WARPMESH_DEVICE type name(type value, lane_type lane, int width = 32) {                                                         \
    int2 halves = __builtin_bit_cast(int2, value);                                                                                \
    halves.x = name(halves.x, lane, width);                                                                                       \
    halves.y = name(halves.y, lane, width);                                                                                       \
    return __builtin_bit_cast(type, halves);                                                                                      \
  }
WARPMESH_SHUFFLE(__shfl, "idx", int, 31)
WARPMESH_SHUFFLE(__shfl_up, "up", unsigned, 0)
WARPMESH_SHUFFLE(__shfl_down, "down", unsigned, 31)
WARPMESH_SHUFFLE(__shfl_xor, "bfly", int, 31)
#undef WARPMESH_SHUFFLE
#undef WARPMESH_SHUFFLE_AS
#undef WARPMESH_SHUFFLE_WIDE

// Lane by lane: those that have the first lane's value are found, then those of the first lane that is left.
template <class T> WARPMESH_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  unsigned found = 0;
  for (unsigned left = mask; left != 0;) {
    T first = __shfl_sync(mask, value, __builtin_ctz(left));
    unsigned same = __ballot_sync(mask, first == value);
    if (first == value)
      found = same;
    left &= ~same;
  }
  return found;
}
// `mask` and a true predicate where all lanes have the same value.
template <class T> WARPMESH_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *predicate) {
  *predicate = __all_sync(mask, __shfl_sync(mask, value, __builtin_ctz(mask)) == value);
  return *predicate ? mask : 0;
}

// -- bits and integers

WARPMESH_BOTH int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WARPMESH_BOTH unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
WARPMESH_BOTH float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WARPMESH_BOTH float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
WARPMESH_BOTH long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
WARPMESH_BOTH double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WARPMESH_BOTH int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
WARPMESH_BOTH int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
WARPMESH_BOTH double __hiloint2double(int high, int low) { return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low); }

WARPMESH_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
WARPMESH_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WARPMESH_DEVICE int __clz(int x) { int n; asm("clz.b32 %0, %1;" : "=r"(n) : "r"(x)); return n; }
WARPMESH_DEVICE int __clzll(long long x) { int n; asm("clz.b64 %0, %1;" : "=r"(n) : "l"(x)); return n; }
WARPMESH_DEVICE unsigned __brev(unsigned x) { unsigned y; asm("brev.b32 %0, %1;" : "=r"(y) : "r"(x)); return y; }
WARPMESH_DEVICE unsigned long long __brevll(unsigned long long x) { unsigned long long y; asm("brev.b64 %0, %1;" : "=l"(y) : "l"(x)); return y; }
WARPMESH_DEVICE int __ffs(int x) { return x == 0 ? 0 : 32 - __clz(x & -x); }
WARPMESH_DEVICE int __ffsll(long long x) { return x == 0 ? 0 : 64 - __clzll(x & -x); }
// The place of the `offset`th set bit from `base` on, upward where the offset is positive; all ones where there is none.
WARPMESH_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
  if (left == 0)
    return mask >> base & 1 ? base : 0xffffffffu;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0)
      return at;
  return 0xffffffffu;
}
WARPMESH_DEVICE void __nanosleep(unsigned) {}
WARPMESH_DEVICE int __mul24(int a, int b) { int c; asm("mul24.lo.s32 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b)); return c; }
WARPMESH_DEVICE unsigned __umul24(unsigned a, unsigned b) { unsigned c; asm("mul24.lo.u32 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b)); return c; }
WARPMESH_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
WARPMESH_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
WARPMESH_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { unsigned long long c; asm("mul.hi.u64 %0, %1, %2;" : "=l"(c) : "l"(a), "l"(b)); return c; }
WARPMESH_DEVICE long long __mul64hi(long long a, long long b) { long long c; asm("mul.hi.s64 %0, %1, %2;" : "=l"(c) : "l"(a), "l"(b)); return c; }
WARPMESH_DEVICE unsigned __sad(int a, int b, unsigned c) { unsigned d; asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
WARPMESH_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { unsigned d; asm("sad.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
WARPMESH_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) { unsigned c; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(c) : "r"(a), "r"(b), "r"(selector)); return c; }
WARPMESH_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) { unsigned c; asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(c) : "r"(low), "r"(high), "r"(shift)); return c; }
WARPMESH_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) { unsigned c; asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(c) : "r"(low), "r"(high), "r"(shift)); return c; }
WARPMESH_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) { unsigned c; asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(c) : "r"(low), "r"(high), "r"(shift)); return c; }
WARPMESH_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) { unsigned c; asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(c) : "r"(low), "r"(high), "r"(shift)); return c; }
WARPMESH_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
WARPMESH_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
WARPMESH_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
WARPMESH_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }

// -- loads through the read-only path

template <class T> WARPMESH_DEVICE T __ldg(const T *pointer) { return *pointer; }

#endif
