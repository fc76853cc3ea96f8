// Atomic functions. The plain name is device-wide; `_block` and `_system` have
// their own scope. Integers travel as unsigned words of their size.
#pragma once
#pragma clang system_header

// One function in its three scopes: `T NAME(T *p, T x)` on top of the intrinsic
// OP_SCOPE_TY, whose word type is W.
#define __DUET_ATOMIC_IN(NAME, SCOPE, OP, TY, T, W)                                                \
  __DUET_WEAK_DEVICE T NAME(T *p, T x) { return (T)__duet_atomic_##OP##_##SCOPE##_##TY((W *)p, (W)x); }
#define __DUET_ATOMIC(NAME, OP, TY, T, W)                                                          \
  __DUET_ATOMIC_IN(NAME, device, OP, TY, T, W)                                                     \
  __DUET_ATOMIC_IN(NAME##_block, block, OP, TY, T, W)                                              \
  __DUET_ATOMIC_IN(NAME##_system, system, OP, TY, T, W)
#define __DUET_ATOMIC_CAS_IN(NAME, SCOPE, TY, T, W)                                                \
  __DUET_WEAK_DEVICE T NAME(T *p, T compare, T x) {                                                \
    return (T)__duet_atomic_compare_exchange_##SCOPE##_##TY((W *)p, (W)compare, (W)x);             \
  }
#define __DUET_ATOMIC_CAS(TY, T, W)                                                                \
  __DUET_ATOMIC_CAS_IN(atomicCAS, device, TY, T, W)                                                \
  __DUET_ATOMIC_CAS_IN(atomicCAS_block, block, TY, T, W)                                           \
  __DUET_ATOMIC_CAS_IN(atomicCAS_system, system, TY, T, W)
#define __DUET_ATOMICS(TY, T, W, SIGN)                                                             \
  __DUET_ATOMIC(atomicAdd, add, TY, T, W)                                                          \
  __DUET_ATOMIC(atomicSub, sub, TY, T, W)                                                          \
  __DUET_ATOMIC(atomicExch, exchange, TY, T, W)                                                    \
  __DUET_ATOMIC(atomicMin, SIGN##min, TY, T, W)                                                    \
  __DUET_ATOMIC(atomicMax, SIGN##max, TY, T, W)                                                    \
  __DUET_ATOMIC(atomicAnd, and, TY, T, W)                                                          \
  __DUET_ATOMIC(atomicOr, or, TY, T, W)                                                            \
  __DUET_ATOMIC(atomicXor, xor, TY, T, W)                                                          \
  __DUET_ATOMIC_CAS(TY, T, W)

__DUET_ATOMICS(i32, int, unsigned, s)
__DUET_ATOMICS(i32, unsigned, unsigned, u)
__DUET_ATOMICS(i64, long long, unsigned long long, s)
__DUET_ATOMICS(i64, unsigned long long, unsigned long long, u)
// `long` is no type of CUDA's atomics on every platform; code for one where it
// has 64 bits casts, code that does not is accepted here.
#if __SIZEOF_LONG__ == 8
__DUET_ATOMICS(i64, long, unsigned long long, s)
__DUET_ATOMICS(i64, unsigned long, unsigned long long, u)
#else
__DUET_ATOMICS(i32, long, unsigned, s)
__DUET_ATOMICS(i32, unsigned long, unsigned, u)
#endif
__DUET_ATOMIC(atomicInc, inc_wrap, i32, unsigned, unsigned)
__DUET_ATOMIC(atomicDec, dec_wrap, i32, unsigned, unsigned)
__DUET_ATOMIC_CAS(i16, unsigned short, unsigned short)
__DUET_ATOMIC(atomicAdd, fadd, f32, float, float)
__DUET_ATOMIC(atomicAdd, fadd, f64, double, double)
__DUET_ATOMIC(atomicMin, fmin, f32, float, float)
__DUET_ATOMIC(atomicMin, fmin, f64, double, double)
__DUET_ATOMIC(atomicMax, fmax, f32, float, float)
__DUET_ATOMIC(atomicMax, fmax, f64, double, double)
__DUET_ATOMIC(atomicExch, exchange, f32, float, float)
__DUET_ATOMIC(atomicExch, exchange, f64, double, double)
__DUET_WEAK_DEVICE float atomicSub(float *p, float x) { return atomicAdd(p, -x); }
__DUET_WEAK_DEVICE double atomicSub(double *p, double x) { return atomicAdd(p, -x); }

// Vectors of floats: one atomic operation per field, as the hardware does.
__DUET_WEAK_DEVICE float2 atomicAdd(float2 *p, float2 x) {
  return {atomicAdd(&p->x, x.x), atomicAdd(&p->y, x.y)};
}
__DUET_WEAK_DEVICE float4 atomicAdd(float4 *p, float4 x) {
  return {atomicAdd(&p->x, x.x), atomicAdd(&p->y, x.y), atomicAdd(&p->z, x.z), atomicAdd(&p->w, x.w)};
}
