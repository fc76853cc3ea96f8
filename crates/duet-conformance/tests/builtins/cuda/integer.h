// Integer functions. The references count, sum and shift bit by bit, or in 128 bits.
typedef unsigned long long u64;
typedef long long s64;

#define CLZ(BITS) { int n = 0; while (n < BITS && !(x >> (BITS - 1 - n) & 1)) n++; return n; }
CASE(clz, "__clz", int, (int x), __clz(x), CLZ(32))
CASE(clzll, "__clzll", int, (s64 x), __clzll(x), CLZ(64))
#define COUNT(BITS) { int n = 0; for (int i = 0; i < BITS; i++) n += x >> i & 1; return n; }
CASE(popc, "__popc", int, (unsigned x), __popc(x), COUNT(32))
CASE(popcll, "__popcll", int, (u64 x), __popcll(x), COUNT(64))
#define FIRST(BITS) { for (int i = 0; i < BITS; i++) if (x >> i & 1) return i + 1; return 0; }
CASE(ffs, "__ffs", int, (int x), __ffs(x), FIRST(32))
CASE(ffsll, "__ffsll", int, (s64 x), __ffsll(x), FIRST(64))
#define REVERSE(T, BITS) { T r = 0; for (int i = 0; i < BITS; i++) r |= (x >> i & 1) << (BITS - 1 - i); return r; }
CASE(brev, "__brev", unsigned, (unsigned x), __brev(x), REVERSE(unsigned, 32))
CASE(brevll, "__brevll", u64, (u64 x), __brevll(x), REVERSE(u64, 64))
CASE(fns, "__fns", unsigned, (unsigned mask, unsigned base, int n), __fns(mask, base & 31, n % 5), {
  base &= 31, n %= 5;
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  for (int at = base; at >= 0 && at < 32; at += n > 0 ? 1 : -1)
    if (mask >> at & 1 && (n > 0 ? --n == 0 : ++n == 0)) return at;
  return ~0u;
})

static inline int wide24(int x) { return (x & 0xffffff) - (x & 0x800000 ? 0x1000000 : 0); }
CASE(mul24, "__mul24,mul24", int, (int a, int b), __mul24(a, b), { return (int)(unsigned)((s64)wide24(a) * wide24(b)); })
CASE(umul24, "__umul24,umul24", unsigned, (unsigned a, unsigned b), __umul24(a, b), { return (unsigned)((u64)(a % 0x1000000) * (b % 0x1000000)); })
#define HIGH(WIDE, R, BITS) { return (R)((WIDE)a * (WIDE)b >> BITS); }
CASE(mulhi, "__mulhi,mulhi", int, (int a, int b), __mulhi(a, b), HIGH(__int128, int, 32))
CASE(umulhi, "__umulhi", unsigned, (unsigned a, unsigned b), __umulhi(a, b), HIGH(unsigned __int128, unsigned, 32))
CASE(mul64hi, "__mul64hi,mul64hi", s64, (s64 a, s64 b), __mul64hi(a, b), HIGH(__int128, s64, 64))
CASE(umul64hi, "__umul64hi", u64, (u64 a, u64 b), __umul64hi(a, b), HIGH(unsigned __int128, u64, 64))

#define HALF(R, UP) { __int128 sum = (__int128)a + b + UP; return (R)(sum < 0 && sum % 2 ? sum / 2 - 1 : sum / 2); }
CASE(hadd, "__hadd", int, (int a, int b), __hadd(a, b), HALF(int, 0))
CASE(rhadd, "__rhadd", int, (int a, int b), __rhadd(a, b), HALF(int, 1))
CASE(uhadd, "__uhadd", unsigned, (unsigned a, unsigned b), __uhadd(a, b), HALF(unsigned, 0))
CASE(urhadd, "__urhadd", unsigned, (unsigned a, unsigned b), __urhadd(a, b), HALF(unsigned, 1))
CASE(sad, "__sad", unsigned, (int a, int b, unsigned c), __sad(a, b, c), { s64 d = (s64)a - b; return (unsigned)((d < 0 ? -d : d) + c); })
CASE(usad, "__usad", unsigned, (unsigned a, unsigned b, unsigned c), __usad(a, b, c), { s64 d = (s64)a - b; return (unsigned)((d < 0 ? -d : d) + c); })

CASE(byte_perm, "__byte_perm", unsigned, (unsigned x, unsigned y, unsigned s), __byte_perm(x, y, s), {
  unsigned char bytes[8];
  for (int i = 0; i < 4; i++) bytes[i] = x >> 8 * i, bytes[4 + i] = y >> 8 * i;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) r |= (unsigned)bytes[s >> 4 * i & 7] << 8 * i;
  return r;
})
#define BIT(FROM) { unsigned r = 0; for (int i = 0; i < 32; i++) { int f = FROM; r |= (f < 32 ? lo >> f & 1 : hi >> (f - 32) & 1) << i; } return r; }
#define FUNNEL(ID, AMOUNT, FROM) CASE(ID, "__" #ID, unsigned, (unsigned lo, unsigned hi, unsigned s), __##ID(lo, hi, s), { int n = AMOUNT; BIT(FROM) })
FUNNEL(funnelshift_l, s % 32, i + 32 - n)
FUNNEL(funnelshift_r, s % 32, i + n)
FUNNEL(funnelshift_lc, (s < 32 ? s : 32), i + 32 - n)
CASE(funnelshift_rc, "__funnelshift_rc", unsigned, (unsigned lo, unsigned hi, unsigned s), __funnelshift_rc(lo, hi, s), {
  if (s >= 32) return hi;
  return s ? lo >> s | hi << (32 - s) : lo;
})

#define DOT(SIGN, R) { R sum = c; for (int i = 0; i < 4; i++) sum += (R)(SIGN char)(a >> 8 * i) * (R)(SIGN char)(b >> 8 * i); return sum; }
CASE(dp4a_s, "__dp4a", int, (int a, int b, int c), __dp4a(a, b, c), DOT(signed, int))
CASE(dp4a_u, "__dp4a", unsigned, (unsigned a, unsigned b, unsigned c), __dp4a(a, b, c), DOT(unsigned, unsigned))
#define DOT2(SIGN, R, FIRST) { R sum = c; for (int i = 0; i < 2; i++) sum += (R)(SIGN short)(a >> 16 * i) * (R)(SIGN char)(b >> 8 * (FIRST + i)); return sum; }
CASE(dp2a_lo_s, "__dp2a_lo", int, (int a, int b, int c), __dp2a_lo(a, b, c), DOT2(signed, int, 0))
CASE(dp2a_hi_s, "__dp2a_hi", int, (int a, int b, int c), __dp2a_hi(a, b, c), DOT2(signed, int, 2))
CASE(dp2a_lo_u, "__dp2a_lo", unsigned, (unsigned a, unsigned b, unsigned c), __dp2a_lo(a, b, c), DOT2(unsigned, unsigned, 0))
CASE(dp2a_hi_u, "__dp2a_hi", unsigned, (unsigned a, unsigned b, unsigned c), __dp2a_hi(a, b, c), DOT2(unsigned, unsigned, 2))

#define MIN_MAX(ID, R, A, B)                                                                       \
  CASE(min_##ID, "min", R, (A a, B b), min(a, b), { return (R)a < (R)b ? (R)a : (R)b; })           \
  CASE(max_##ID, "max", R, (A a, B b), max(a, b), { return (R)a > (R)b ? (R)a : (R)b; })
MIN_MAX(i, int, int, int)
MIN_MAX(u, unsigned, unsigned, unsigned)
MIN_MAX(iu, unsigned, int, unsigned)
MIN_MAX(ui, unsigned, unsigned, int)
MIN_MAX(l, long, long, long)
MIN_MAX(ul, unsigned long, unsigned long, unsigned long)
MIN_MAX(ll, s64, s64, s64)
MIN_MAX(ull, u64, u64, u64)
MIN_MAX(mixed, u64, s64, u64)
CASE(umin, "umin", unsigned, (unsigned a, unsigned b), umin(a, b), { return a < b ? a : b; })
CASE(umax, "umax", unsigned, (unsigned a, unsigned b), umax(a, b), { return a > b ? a : b; })
CASE(llmin, "llmin", s64, (s64 a, s64 b), llmin(a, b), { return a < b ? a : b; })
CASE(llmax, "llmax", s64, (s64 a, s64 b), llmax(a, b), { return a > b ? a : b; })
CASE(ullmin, "ullmin", u64, (u64 a, u64 b), ullmin(a, b), { return a < b ? a : b; })
CASE(ullmax, "ullmax", u64, (u64 a, u64 b), ullmax(a, b), { return a > b ? a : b; })
CASE(abs_i, "abs", int, (int x), abs(x), { return x < 0 ? (int)-(unsigned)x : x; })
CASE(labs, "labs", long, (long x), labs(x), { return x < 0 ? (long)-(unsigned long)x : x; })
CASE(llabs, "llabs", s64, (s64 x), llabs(x), { return x < 0 ? (s64)-(u64)x : x; })

CASE(vimax3_s32, "__vimax3_s32", int, (int a, int b, int c), __vimax3_s32(a, b, c), { return a >= b && a >= c ? a : b >= c ? b : c; })
CASE(vimin3_s32, "__vimin3_s32", int, (int a, int b, int c), __vimin3_s32(a, b, c), { return a <= b && a <= c ? a : b <= c ? b : c; })
CASE(vimax3_u32, "__vimax3_u32", unsigned, (unsigned a, unsigned b, unsigned c), __vimax3_u32(a, b, c), { return a >= b && a >= c ? a : b >= c ? b : c; })
CASE(vimin3_u32, "__vimin3_u32", unsigned, (unsigned a, unsigned b, unsigned c), __vimin3_u32(a, b, c), { return a <= b && a <= c ? a : b <= c ? b : c; })
CASE(vimax_s32_relu, "__vimax_s32_relu", int, (int a, int b), __vimax_s32_relu(a, b), { int m = a > b ? a : b; return m > 0 ? m : 0; })
CASE(vimin_s32_relu, "__vimin_s32_relu", int, (int a, int b), __vimin_s32_relu(a, b), { int m = a < b ? a : b; return m > 0 ? m : 0; })

// SIMD within a word: an expression of the lanes x and y, of width W.
#define LANES(T, W, EXPR) { unsigned r = 0; for (int s = 0; s < 32; s += W) { s64 x = (T)(a >> s), y = (T)(b >> s); (void)y; r |= ((unsigned)(EXPR) & (0xffffffffu >> (32 - W))) << s; } return r; }
#define SIMD(NAME, S, EXPR)                                                                        \
  CASE(NAME##2, #NAME "2", unsigned, (unsigned a, unsigned b), NAME##2(a, b), LANES(S short, 16, EXPR(16))) \
  CASE(NAME##4, #NAME "4", unsigned, (unsigned a, unsigned b), NAME##4(a, b), LANES(S char, 8, EXPR(8)))
#define SIMD1(NAME, EXPR)                                                                          \
  CASE(NAME##2, #NAME "2", unsigned, (unsigned a), NAME##2(a), { unsigned b = 0; LANES(signed short, 16, EXPR(16)) }) \
  CASE(NAME##4, #NAME "4", unsigned, (unsigned a), NAME##4(a), { unsigned b = 0; LANES(signed char, 8, EXPR(8)) })
static inline s64 between(s64 low, s64 x, s64 high) { return x < low ? low : x > high ? high : x; }
#define FIT_S(W, X) between(-(1 << (W - 1)), X, (1 << (W - 1)) - 1)
#define FIT_U(W, X) between(0, X, (1 << W) - 1)
#define ADD(W) x + y
#define SUB(W) x - y
#define ADDSS(W) FIT_S(W, x + y)
#define ADDUS(W) FIT_U(W, x + y)
#define SUBSS(W) FIT_S(W, x - y)
#define SUBUS(W) FIT_U(W, x - y)
#define DIFF(W) (x > y ? x - y : y - x)
#define LESS(W) (x < y ? x : y)
#define MORE(W) (x > y ? x : y)
#define HALVED(W) (x + y) / 2
// Halves go away from zero.
#define ROUNDED(W) (x + y + ((x + y) >= 0)) >> 1
#define NEG(W) -x
#define NEGSS(W) FIT_S(W, -x)
#define ABS(W) (x < 0 ? -x : x)
#define ABSSS(W) FIT_S(W, x < 0 ? -x : x)
SIMD(__vadd, unsigned, ADD) SIMD(__vsub, unsigned, SUB)
SIMD(__vaddss, signed, ADDSS) SIMD(__vaddus, unsigned, ADDUS)
SIMD(__vsubss, signed, SUBSS) SIMD(__vsubus, unsigned, SUBUS)
SIMD(__vabsdiffs, signed, DIFF) SIMD(__vabsdiffu, unsigned, DIFF)
SIMD(__vmins, signed, LESS) SIMD(__vminu, unsigned, LESS)
SIMD(__vmaxs, signed, MORE) SIMD(__vmaxu, unsigned, MORE)
SIMD(__vhaddu, unsigned, HALVED)
SIMD(__vavgs, signed, ROUNDED) SIMD(__vavgu, unsigned, ROUNDED)
SIMD1(__vneg, NEG) SIMD1(__vnegss, NEGSS) SIMD1(__vabs, ABS) SIMD1(__vabsss, ABSSS)
#define EQ(W) x == y
#define NE(W) x != y
#define LT(W) x < y
#define LE(W) x <= y
#define GT(W) x > y
#define GE(W) x >= y
#define EQ1(W) (x == y ? -1 : 0)
#define NE1(W) (x != y ? -1 : 0)
#define LT1(W) (x < y ? -1 : 0)
#define LE1(W) (x <= y ? -1 : 0)
#define GT1(W) (x > y ? -1 : 0)
#define GE1(W) (x >= y ? -1 : 0)
SIMD(__vseteq, unsigned, EQ) SIMD(__vsetne, unsigned, NE)
SIMD(__vcmpeq, unsigned, EQ1) SIMD(__vcmpne, unsigned, NE1)
#define COMPARISONS(NAME, OP)                                                                      \
  SIMD(__vset##NAME##s, signed, OP) SIMD(__vset##NAME##u, unsigned, OP)                            \
  SIMD(__vcmp##NAME##s, signed, OP##1) SIMD(__vcmp##NAME##u, unsigned, OP##1)
COMPARISONS(lt, LT) COMPARISONS(le, LE) COMPARISONS(gt, GT) COMPARISONS(ge, GE)
#define SUM(T, W, START) { unsigned r = START; for (int s = 0; s < 32; s += W) { s64 x = (T)(a >> s), y = (T)(b >> s); r += (unsigned)(x > y ? x - y : y - x); } return r; }
CASE(vsads2, "__vsads2", unsigned, (unsigned a, unsigned b), __vsads2(a, b), SUM(signed short, 16, 0))
CASE(vsadu2, "__vsadu2", unsigned, (unsigned a, unsigned b), __vsadu2(a, b), SUM(unsigned short, 16, 0))
CASE(vsads4, "__vsads4", unsigned, (unsigned a, unsigned b), __vsads4(a, b), SUM(signed char, 8, 0))
CASE(vsadu4, "__vsadu4", unsigned, (unsigned a, unsigned b), __vsadu4(a, b), SUM(unsigned char, 8, 0))
