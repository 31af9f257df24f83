// Arithmetic of a 16-bit floating-point format: the body of cuda_fp16.h and cuda_bf16.h, included once for each. Operands are widened to
// single precision, and the result is rounded to the format.
//
// Defined before:
//   NARROW, NARROW2         types of one number, and of two
//   NARROW_RAW, NARROW2_RAW their bits, as C structures
//   NARROW_NAME(a, b)       the name of a function: the format's name between two parts
//   NARROW_DUPLICATE        the name of the function that makes two numbers of one
//   NARROW_BITS(x)          the bits of a float rounded to the nearest number of the format, ties to even
//   NARROW_FLOAT(bits)      the number of bits as a float
//   NARROW_FMA(a, b, c)     the bits of a * b + c of three floats that are numbers of the format
// Behind it none of these is defined any more.

typedef struct __attribute__((aligned(2))) { unsigned short x; } NARROW_RAW;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } NARROW2_RAW;

#define NARROW_METHOD __attribute__((host, device, always_inline)) inline

struct __attribute__((aligned(2))) NARROW {
  unsigned short __x;
  NARROW() = default;
  NARROW_METHOD NARROW(const NARROW_RAW &raw) : __x(raw.x) {}
  NARROW_METHOD operator NARROW_RAW() const { NARROW_RAW raw; raw.x = __x; return raw; }
  NARROW_METHOD NARROW(float x) : __x(NARROW_BITS(x)) {}
  NARROW_METHOD NARROW(double x) : __x(NARROW_BITS(warpmesh_sticky(x))) {}
  NARROW_METHOD NARROW &operator=(float x) { __x = NARROW_BITS(x); return *this; }
  NARROW_METHOD NARROW &operator=(double x) { __x = NARROW_BITS(warpmesh_sticky(x)); return *this; }
  NARROW_METHOD operator float() const { return NARROW_FLOAT(__x); }
  NARROW_METHOD operator bool() const { return (__x & 0x7fff) != 0; }
#define NARROW_INTEGER(type, wide)                                                                                   \
  NARROW_METHOD NARROW(type x) : __x(NARROW_BITS(warpmesh_sticky((wide)x))) {}                                       \
  NARROW_METHOD NARROW &operator=(type x) { __x = NARROW_BITS(warpmesh_sticky((wide)x)); return *this; }             \
  NARROW_METHOD operator type() const { return warpmesh_saturated<type>(NARROW_FLOAT(__x)); }
  NARROW_INTEGER(short, long long)
  NARROW_INTEGER(unsigned short, unsigned long long)
  NARROW_INTEGER(int, long long)
  NARROW_INTEGER(unsigned, unsigned long long)
  NARROW_INTEGER(long long, long long)
  NARROW_INTEGER(unsigned long long, unsigned long long)
#undef NARROW_INTEGER
};

struct __attribute__((aligned(4))) NARROW2 {
  NARROW x, y;
  NARROW2() = default;
  NARROW_METHOD NARROW2(const NARROW &a, const NARROW &b) : x(a), y(b) {}
  NARROW_METHOD NARROW2(const NARROW2_RAW &raw) { x.__x = raw.x; y.__x = raw.y; }
  NARROW_METHOD operator NARROW2_RAW() const { NARROW2_RAW raw; raw.x = x.__x; raw.y = y.__x; return raw; }
};
#undef NARROW_METHOD

WARPMESH_BOTH NARROW NARROW_NAME(warpmesh_, _of)(unsigned bits) { NARROW n; n.__x = (unsigned short)bits; return n; }
#define NARROW_OF(bits) NARROW_NAME(warpmesh_, _of)(bits)
#define NARROW_ROUND(x) NARROW_OF(NARROW_BITS(x))
#define NARROW_WIDE(a) NARROW_FLOAT((a).__x)

// -- conversions

WARPMESH_BOTH float NARROW_NAME(__, 2float)(NARROW a) { return NARROW_WIDE(a); }
WARPMESH_BOTH NARROW NARROW_NAME(__float2, )(float x) { return NARROW_ROUND(x); }
WARPMESH_BOTH NARROW NARROW_NAME(__float2, _rn)(float x) { return NARROW_ROUND(x); }
WARPMESH_BOTH NARROW NARROW_NAME(__double2, )(double x) { return NARROW(x); }
WARPMESH_BOTH unsigned short NARROW_NAME(__, _as_ushort)(NARROW a) { return a.__x; }
WARPMESH_BOTH short NARROW_NAME(__, _as_short)(NARROW a) { return (short)a.__x; }
WARPMESH_BOTH NARROW NARROW_NAME(__ushort_as_, )(unsigned short bits) { return NARROW_OF(bits); }
WARPMESH_BOTH NARROW NARROW_NAME(__short_as_, )(short bits) { return NARROW_OF((unsigned short)bits); }

// The nearest number, or its neighbour where that lies on the wrong side.
WARPMESH_BOTH NARROW NARROW_NAME(warpmesh_, _directed)(float x, bool up, bool down) {
  unsigned bits = NARROW_BITS(x), size = bits & 0x7fff;
  float near = NARROW_FLOAT(bits);
  if (up && near < x)
    bits = size == 0 ? 0x0001 : bits & 0x8000 ? bits - 1 : bits + 1;
  if (down && near > x)
    bits = size == 0 ? 0x8001 : bits & 0x8000 ? bits + 1 : bits - 1;
  return NARROW_OF(bits);
}
WARPMESH_BOTH NARROW NARROW_NAME(__float2, _ru)(float x) { return NARROW_NAME(warpmesh_, _directed)(x, true, false); }
WARPMESH_BOTH NARROW NARROW_NAME(__float2, _rd)(float x) { return NARROW_NAME(warpmesh_, _directed)(x, false, true); }
WARPMESH_BOTH NARROW NARROW_NAME(__float2, _rz)(float x) { return NARROW_NAME(warpmesh_, _directed)(x, x < 0, x > 0); }

#define NARROW_INTEGER(type, name, wide)                                                                             \
  WARPMESH_BOTH NARROW NARROW_NAME(__##name##2, _rn)(type x) { return NARROW_ROUND(warpmesh_sticky((wide)x)); }      \
  WARPMESH_BOTH NARROW NARROW_NAME(__##name##2, _rz)(type x) { return NARROW_NAME(__float2, _rz)(warpmesh_sticky((wide)x)); } \
  WARPMESH_BOTH NARROW NARROW_NAME(__##name##2, _ru)(type x) { return NARROW_NAME(__float2, _ru)(warpmesh_sticky((wide)x)); } \
  WARPMESH_BOTH NARROW NARROW_NAME(__##name##2, _rd)(type x) { return NARROW_NAME(__float2, _rd)(warpmesh_sticky((wide)x)); } \
  WARPMESH_BOTH type NARROW_NAME(__, 2##name##_rz)(NARROW a) { return warpmesh_saturated<type>(NARROW_WIDE(a)); }
#define NARROW_TO_INTEGER(type, name)                                                                                \
  WARPMESH_DEVICE type NARROW_NAME(__, 2##name##_rn)(NARROW a) { return warpmesh_saturated<type>(rintf(NARROW_WIDE(a))); }    \
  WARPMESH_DEVICE type NARROW_NAME(__, 2##name##_ru)(NARROW a) { return warpmesh_saturated<type>(ceilf(NARROW_WIDE(a))); }    \
  WARPMESH_DEVICE type NARROW_NAME(__, 2##name##_rd)(NARROW a) { return warpmesh_saturated<type>(floorf(NARROW_WIDE(a))); }
NARROW_INTEGER(short, short, long long)
NARROW_INTEGER(unsigned short, ushort, unsigned long long)
NARROW_INTEGER(int, int, long long)
NARROW_INTEGER(unsigned, uint, unsigned long long)
NARROW_INTEGER(long long, ll, long long)
NARROW_INTEGER(unsigned long long, ull, unsigned long long)
#undef NARROW_INTEGER

// -- two numbers

WARPMESH_BOTH NARROW2 NARROW_NAME(make_, 2)(NARROW x, NARROW y) { return NARROW2(x, y); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__halves2, 2)(NARROW x, NARROW y) { return NARROW2(x, y); }
WARPMESH_BOTH NARROW2 NARROW_DUPLICATE(NARROW x) { return NARROW2(x, x); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__float2, 2_rn)(float x) { return NARROW2(NARROW_ROUND(x), NARROW_ROUND(x)); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__floats2, 2_rn)(float x, float y) { return NARROW2(NARROW_ROUND(x), NARROW_ROUND(y)); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__float22, 2_rn)(float2 v) { return NARROW2(NARROW_ROUND(v.x), NARROW_ROUND(v.y)); }
WARPMESH_BOTH float2 NARROW_NAME(__, 22float2)(NARROW2 v) { return make_float2(NARROW_WIDE(v.x), NARROW_WIDE(v.y)); }
WARPMESH_BOTH float __low2float(NARROW2 v) { return NARROW_WIDE(v.x); }
WARPMESH_BOTH float __high2float(NARROW2 v) { return NARROW_WIDE(v.y); }
WARPMESH_BOTH NARROW NARROW_NAME(__low2, )(NARROW2 v) { return v.x; }
WARPMESH_BOTH NARROW NARROW_NAME(__high2, )(NARROW2 v) { return v.y; }
WARPMESH_BOTH NARROW2 NARROW_NAME(__low2, 2)(NARROW2 v) { return NARROW2(v.x, v.x); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__high2, 2)(NARROW2 v) { return NARROW2(v.y, v.y); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__lows2, 2)(NARROW2 a, NARROW2 b) { return NARROW2(a.x, b.x); }
WARPMESH_BOTH NARROW2 NARROW_NAME(__highs2, 2)(NARROW2 a, NARROW2 b) { return NARROW2(a.y, b.y); }
WARPMESH_BOTH NARROW2 __lowhigh2highlow(NARROW2 v) { return NARROW2(v.y, v.x); }

#ifdef __CUDA__

NARROW_TO_INTEGER(short, short)
NARROW_TO_INTEGER(unsigned short, ushort)
NARROW_TO_INTEGER(int, int)
NARROW_TO_INTEGER(unsigned, uint)
NARROW_TO_INTEGER(long long, ll)
NARROW_TO_INTEGER(unsigned long long, ull)

// -- arithmetic: each function for one number, and with a 2 at its end for two

#define NARROW_UNARY(one, two, result)                                                                               \
  WARPMESH_DEVICE NARROW one(NARROW a) { return NARROW_OF(result); }                                                 \
  WARPMESH_DEVICE NARROW2 two(NARROW2 a) { return NARROW2(one(a.x), one(a.y)); }
#define NARROW_BINARY(one, two, result)                                                                              \
  WARPMESH_DEVICE NARROW one(NARROW a, NARROW b) { return NARROW_OF(result); }                                       \
  WARPMESH_DEVICE NARROW2 two(NARROW2 a, NARROW2 b) { return NARROW2(one(a.x, b.x), one(a.y, b.y)); }
#define NARROW_ARITHMETIC(name, value)                                                                               \
  NARROW_BINARY(__h##name, __h##name##2, NARROW_BITS(value))                                                         \
  NARROW_BINARY(__h##name##_rn, __h##name##2_rn, NARROW_BITS(value))                                                 \
  NARROW_BINARY(__h##name##_sat, __h##name##2_sat, NARROW_BITS(warpmesh_clamped(value)))
NARROW_ARITHMETIC(add, NARROW_WIDE(a) + NARROW_WIDE(b))
NARROW_ARITHMETIC(sub, NARROW_WIDE(a) - NARROW_WIDE(b))
NARROW_ARITHMETIC(mul, NARROW_WIDE(a) * NARROW_WIDE(b))
NARROW_BINARY(__hdiv, __h2div, NARROW_BITS(__fdiv_rn(NARROW_WIDE(a), NARROW_WIDE(b))))
NARROW_BINARY(__hmax, __hmax2, NARROW_BITS(fmaxf(NARROW_WIDE(a), NARROW_WIDE(b))))
NARROW_BINARY(__hmin, __hmin2, NARROW_BITS(fminf(NARROW_WIDE(a), NARROW_WIDE(b))))
NARROW_BINARY(__hmax_nan, __hmax2_nan, warpmesh_unordered(NARROW_WIDE(a), NARROW_WIDE(b)) ? 0x7fffu : NARROW_BITS(fmaxf(NARROW_WIDE(a), NARROW_WIDE(b))))
NARROW_BINARY(__hmin_nan, __hmin2_nan, warpmesh_unordered(NARROW_WIDE(a), NARROW_WIDE(b)) ? 0x7fffu : NARROW_BITS(fminf(NARROW_WIDE(a), NARROW_WIDE(b))))
NARROW_UNARY(__hneg, __hneg2, a.__x ^ 0x8000u)
NARROW_UNARY(__habs, __habs2, a.__x & 0x7fffu)
WARPMESH_DEVICE NARROW __hfma(NARROW a, NARROW b, NARROW c) { return NARROW_OF(NARROW_FMA(NARROW_WIDE(a), NARROW_WIDE(b), NARROW_WIDE(c))); }
WARPMESH_DEVICE NARROW __hfma_sat(NARROW a, NARROW b, NARROW c) { return NARROW_ROUND(warpmesh_clamped(NARROW_WIDE(__hfma(a, b, c)))); }
WARPMESH_DEVICE NARROW __hfma_relu(NARROW a, NARROW b, NARROW c) { return __hmax_nan(__hfma(a, b, c), NARROW_OF(0)); }
WARPMESH_DEVICE NARROW2 __hfma2(NARROW2 a, NARROW2 b, NARROW2 c) { return NARROW2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
WARPMESH_DEVICE NARROW2 __hfma2_sat(NARROW2 a, NARROW2 b, NARROW2 c) { return NARROW2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }
WARPMESH_DEVICE NARROW2 __hfma2_relu(NARROW2 a, NARROW2 b, NARROW2 c) { return NARROW2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }
NARROW_UNARY(hsqrt, h2sqrt, NARROW_BITS(__fsqrt_rn(NARROW_WIDE(a))))
NARROW_UNARY(hrsqrt, h2rsqrt, NARROW_BITS(rsqrtf(NARROW_WIDE(a))))
NARROW_UNARY(hrcp, h2rcp, NARROW_BITS(__frcp_rn(NARROW_WIDE(a))))
NARROW_UNARY(hexp, h2exp, NARROW_BITS(expf(NARROW_WIDE(a))))
NARROW_UNARY(hexp2, h2exp2, NARROW_BITS(exp2f(NARROW_WIDE(a))))
NARROW_UNARY(hexp10, h2exp10, NARROW_BITS(exp10f(NARROW_WIDE(a))))
NARROW_UNARY(hlog, h2log, NARROW_BITS(logf(NARROW_WIDE(a))))
NARROW_UNARY(hlog2, h2log2, NARROW_BITS(log2f(NARROW_WIDE(a))))
NARROW_UNARY(hlog10, h2log10, NARROW_BITS(log10f(NARROW_WIDE(a))))
NARROW_UNARY(hsin, h2sin, NARROW_BITS(sinf(NARROW_WIDE(a))))
NARROW_UNARY(hcos, h2cos, NARROW_BITS(cosf(NARROW_WIDE(a))))
NARROW_UNARY(hfloor, h2floor, NARROW_BITS(floorf(NARROW_WIDE(a))))
NARROW_UNARY(hceil, h2ceil, NARROW_BITS(ceilf(NARROW_WIDE(a))))
NARROW_UNARY(htrunc, h2trunc, NARROW_BITS(truncf(NARROW_WIDE(a))))
NARROW_UNARY(hrint, h2rint, NARROW_BITS(rintf(NARROW_WIDE(a))))
#undef NARROW_ARITHMETIC

// -- comparisons: false for what is not a number, with a u at the end true; of two numbers 1.0 or 0.0 each, or both together (`__hb...2`)

#define NARROW_COMPARES(name, compares)                                                                              \
  WARPMESH_DEVICE bool __h##name(NARROW a, NARROW b) { float x = NARROW_WIDE(a), y = NARROW_WIDE(b); return !warpmesh_unordered(x, y) && (compares); } \
  WARPMESH_DEVICE bool __h##name##u(NARROW a, NARROW b) { float x = NARROW_WIDE(a), y = NARROW_WIDE(b); return warpmesh_unordered(x, y) || (compares); } \
  NARROW_COMPARES_TWO(__h##name, __h##name##2, __hb##name##2)                                                        \
  NARROW_COMPARES_TWO(__h##name##u, __h##name##u2, __hb##name##u2)
#define NARROW_COMPARES_TWO(one, two, both)                                                                          \
  WARPMESH_DEVICE NARROW2 two(NARROW2 a, NARROW2 b) { return NARROW2(NARROW_ROUND(one(a.x, b.x) ? 1.0f : 0.0f), NARROW_ROUND(one(a.y, b.y) ? 1.0f : 0.0f)); } \
  WARPMESH_DEVICE bool both(NARROW2 a, NARROW2 b) { return one(a.x, b.x) && one(a.y, b.y); }
NARROW_COMPARES(eq, x == y)
NARROW_COMPARES(ne, x != y)
NARROW_COMPARES(lt, x < y)
NARROW_COMPARES(le, x <= y)
NARROW_COMPARES(gt, x > y)
NARROW_COMPARES(ge, x >= y)
#undef NARROW_COMPARES
#undef NARROW_COMPARES_TWO
WARPMESH_DEVICE bool __hisnan(NARROW a) { return warpmesh_unordered(NARROW_WIDE(a), 0); }
WARPMESH_DEVICE int __hisinf(NARROW a) { float x = NARROW_WIDE(a); return isinf(x) ? (x > 0 ? 1 : -1) : 0; }
WARPMESH_DEVICE NARROW2 __hisnan2(NARROW2 a) { return NARROW2(NARROW_ROUND(__hisnan(a.x) ? 1.0f : 0.0f), NARROW_ROUND(__hisnan(a.y) ? 1.0f : 0.0f)); }

#define NARROW_OPERATOR(op, name)                                                                                    \
  WARPMESH_DEVICE NARROW operator op(const NARROW &a, const NARROW &b) { return __h##name(a, b); }                   \
  WARPMESH_DEVICE NARROW &operator op##=(NARROW &a, const NARROW &b) { return a = __h##name(a, b); }
NARROW_OPERATOR(+, add)
NARROW_OPERATOR(-, sub)
NARROW_OPERATOR(*, mul)
NARROW_OPERATOR(/, div)
#undef NARROW_OPERATOR
#define NARROW_OPERATOR(op, name)                                                                                    \
  WARPMESH_DEVICE NARROW2 operator op(const NARROW2 &a, const NARROW2 &b) { return name(a, b); }                     \
  WARPMESH_DEVICE NARROW2 &operator op##=(NARROW2 &a, const NARROW2 &b) { return a = name(a, b); }
NARROW_OPERATOR(+, __hadd2)
NARROW_OPERATOR(-, __hsub2)
NARROW_OPERATOR(*, __hmul2)
NARROW_OPERATOR(/, __h2div)
#undef NARROW_OPERATOR
#define NARROW_OPERATOR(op, name)                                                                                    \
  WARPMESH_DEVICE bool operator op(const NARROW &a, const NARROW &b) { return __h##name(a, b); }                     \
  WARPMESH_DEVICE bool operator op(const NARROW2 &a, const NARROW2 &b) { return __hb##name##2(a, b); }
NARROW_OPERATOR(==, eq)
NARROW_OPERATOR(!=, neu)
NARROW_OPERATOR(<, lt)
NARROW_OPERATOR(<=, le)
NARROW_OPERATOR(>, gt)
NARROW_OPERATOR(>=, ge)
#undef NARROW_OPERATOR
WARPMESH_DEVICE NARROW operator+(const NARROW &a) { return a; }
WARPMESH_DEVICE NARROW operator-(const NARROW &a) { return __hneg(a); }
WARPMESH_DEVICE NARROW2 operator+(const NARROW2 &a) { return a; }
WARPMESH_DEVICE NARROW2 operator-(const NARROW2 &a) { return __hneg2(a); }
WARPMESH_DEVICE NARROW &operator++(NARROW &a) { return a = __hadd(a, NARROW_ROUND(1.0f)); }
WARPMESH_DEVICE NARROW &operator--(NARROW &a) { return a = __hsub(a, NARROW_ROUND(1.0f)); }
WARPMESH_DEVICE NARROW operator++(NARROW &a, int) { NARROW before = a; ++a; return before; }
WARPMESH_DEVICE NARROW operator--(NARROW &a, int) { NARROW before = a; --a; return before; }

// -- between threads

WARPMESH_DEVICE unsigned warpmesh_word(NARROW2 a) { return a.x.__x | (unsigned)a.y.__x << 16; }
WARPMESH_DEVICE NARROW2 NARROW_NAME(warpmesh_, _two)(unsigned word) { return NARROW2(NARROW_OF(word & 0xffff), NARROW_OF(word >> 16)); }
#define NARROW_SHUFFLE(name, lane_type)                                                                              \
  WARPMESH_DEVICE NARROW name(unsigned mask, NARROW value, lane_type lane, int width = 32) {                         \
    return NARROW_OF(name(mask, (unsigned)value.__x, lane, width));                                                  \
  }                                                                                                                  \
  WARPMESH_DEVICE NARROW2 name(unsigned mask, NARROW2 value, lane_type lane, int width = 32) {                       \
    return NARROW_NAME(warpmesh_, _two)(name(mask, warpmesh_word(value), lane, width));                              \
  }
NARROW_SHUFFLE(__shfl_sync, int)
NARROW_SHUFFLE(__shfl_up_sync, unsigned)
NARROW_SHUFFLE(__shfl_down_sync, unsigned)
NARROW_SHUFFLE(__shfl_xor_sync, int)
#undef NARROW_SHUFFLE
WARPMESH_DEVICE NARROW2 atomicAdd(NARROW2 *at, NARROW2 value) {
  unsigned *word = (unsigned *)at, before = *(volatile unsigned *)word, found;
  while ((found = atomicCAS(word, before, warpmesh_word(__hadd2(NARROW_NAME(warpmesh_, _two)(before), value)))) != before)
    before = found;
  return NARROW_NAME(warpmesh_, _two)(before);
}
WARPMESH_DEVICE NARROW atomicAdd(NARROW *at, NARROW value) {
  unsigned *word = (unsigned *)((unsigned long long)at & ~3ull), shift = (unsigned long long)at & 2 ? 16 : 0;
  unsigned before = *(volatile unsigned *)word, found;
  for (;; before = found) {
    NARROW sum = __hadd(NARROW_OF(before >> shift & 0xffff), value);
    found = atomicCAS(word, before, (before & ~(0xffffu << shift)) | (unsigned)sum.__x << shift);
    if (found == before)
      return NARROW_OF(before >> shift & 0xffff);
  }
}
#undef NARROW_UNARY
#undef NARROW_BINARY

#endif
#undef NARROW_TO_INTEGER
#undef NARROW
#undef NARROW2
#undef NARROW_RAW
#undef NARROW2_RAW
#undef NARROW_NAME
#undef NARROW_BITS
#undef NARROW_FLOAT
#undef NARROW_FMA
#undef NARROW_OF
#undef NARROW_ROUND
#undef NARROW_WIDE
#undef NARROW_DUPLICATE
