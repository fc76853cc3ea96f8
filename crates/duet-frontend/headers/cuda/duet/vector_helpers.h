// The helper functions on vectors that graphics samples share: conversions
// between lengths, dot, cross, length, lerp, clamp and kin. CUDA has none of
// them; kernels made for a verifier rely on its headers for them. Templates, for
// the same reason as the operators: the user's own functions win. A file that
// has a variable or type of such a name defines __DUET_NO_VECTOR_HELPERS__.
#pragma once
#pragma clang system_header
#ifndef __DUET_NO_VECTOR_HELPERS__

// Conversions: from one scalar, from shorter and longer vectors, from other
// element types.
#define __DUET_MAKE(NAME, E)                                                                       \
  __DUET_WEAK NAME##2 make_##NAME##2(E s) { return {s, s}; }                                       \
  __DUET_WEAK NAME##2 make_##NAME##2(NAME##3 a) { return {a.x, a.y}; }                             \
  __DUET_WEAK NAME##2 make_##NAME##2(NAME##4 a) { return {a.x, a.y}; }                             \
  __DUET_WEAK NAME##3 make_##NAME##3(E s) { return {s, s, s}; }                                    \
  __DUET_WEAK NAME##3 make_##NAME##3(NAME##2 a) { return {a.x, a.y, 0}; }                          \
  __DUET_WEAK NAME##3 make_##NAME##3(NAME##2 a, E s) { return {a.x, a.y, s}; }                     \
  __DUET_WEAK NAME##3 make_##NAME##3(NAME##4 a) { return {a.x, a.y, a.z}; }                        \
  __DUET_WEAK NAME##4 make_##NAME##4(E s) { return {s, s, s, s}; }                                 \
  __DUET_WEAK NAME##4 make_##NAME##4(NAME##3 a) { return {a.x, a.y, a.z, 0}; }                     \
  __DUET_WEAK NAME##4 make_##NAME##4(NAME##3 a, E w) { return {a.x, a.y, a.z, w}; }
__DUET_MAKE(float, float)
__DUET_MAKE(int, int)
__DUET_MAKE(uint, unsigned)
#undef __DUET_MAKE
#define __DUET_MAKE_FROM(NAME, E, FROM)                                                            \
  __DUET_WEAK NAME##2 make_##NAME##2(FROM##2 a) { return {(E)a.x, (E)a.y}; }                       \
  __DUET_WEAK NAME##3 make_##NAME##3(FROM##3 a) { return {(E)a.x, (E)a.y, (E)a.z}; }               \
  __DUET_WEAK NAME##4 make_##NAME##4(FROM##4 a) { return {(E)a.x, (E)a.y, (E)a.z, (E)a.w}; }
__DUET_MAKE_FROM(float, float, int)
__DUET_MAKE_FROM(float, float, uint)
__DUET_MAKE_FROM(int, int, float)
__DUET_MAKE_FROM(int, int, uint)
__DUET_MAKE_FROM(uint, unsigned, int)
__DUET_MAKE_FROM(uint, unsigned, float)
#undef __DUET_MAKE_FROM

// Geometry on float vectors.
__DUET_WEAK float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__DUET_WEAK float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__DUET_WEAK float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__DUET_WEAK int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__DUET_WEAK float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#define __DUET_GEOMETRY(V)                                                                         \
  __DUET_WEAK_DEVICE float length(V a) { return sqrtf(dot(a, a)); }                                \
  __DUET_WEAK_DEVICE V normalize(V a) { return a * rsqrtf(dot(a, a)); }                            \
  __DUET_WEAK_DEVICE V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }                      \
  __DUET_WEAK V lerp(V a, V b, float t) { return a + t * (b - a); }
__DUET_GEOMETRY(float2)
__DUET_GEOMETRY(float3)
__DUET_GEOMETRY(float4)
#undef __DUET_GEOMETRY
__DUET_WEAK float lerp(float a, float b, float t) { return a + t * (b - a); }

// A scalar function on each field.
#define __DUET_MAP_1(F, G)                                                                         \
  __DUET_WEAK_DEVICE float2 F(float2 a) { return {G(a.x), G(a.y)}; }                               \
  __DUET_WEAK_DEVICE float3 F(float3 a) { return {G(a.x), G(a.y), G(a.z)}; }                       \
  __DUET_WEAK_DEVICE float4 F(float4 a) { return {G(a.x), G(a.y), G(a.z), G(a.w)}; }
#define __DUET_MAP_2(F, G, N)                                                                      \
  __DUET_WEAK_DEVICE N##2 F(N##2 a, N##2 b) { return {G(a.x, b.x), G(a.y, b.y)}; }                 \
  __DUET_WEAK_DEVICE N##3 F(N##3 a, N##3 b) { return {G(a.x, b.x), G(a.y, b.y), G(a.z, b.z)}; }    \
  __DUET_WEAK_DEVICE N##4 F(N##4 a, N##4 b) {                                                      \
    return {G(a.x, b.x), G(a.y, b.y), G(a.z, b.z), G(a.w, b.w)};                                   \
  }
__DUET_WEAK_DEVICE float fracf(float x) { return x - floorf(x); }
__DUET_MAP_1(floorf, floorf)
__DUET_MAP_1(floor, floorf)
__DUET_MAP_1(fracf, fracf)
__DUET_MAP_1(fabs, fabsf)
__DUET_MAP_2(fminf, fminf, float)
__DUET_MAP_2(fmaxf, fmaxf, float)
__DUET_MAP_2(fmodf, fmodf, float)
__DUET_MAP_2(min, min, int)
__DUET_MAP_2(max, max, int)
__DUET_MAP_2(min, min, uint)
__DUET_MAP_2(max, max, uint)
#undef __DUET_MAP_2
#undef __DUET_MAP_1

// Clamping, with scalar or vector bounds.
__DUET_WEAK_DEVICE float clamp(float x, float a, float b) { return fmaxf(a, fminf(x, b)); }
__DUET_WEAK int clamp(int x, int a, int b) { return max(a, min(x, b)); }
__DUET_WEAK unsigned clamp(unsigned x, unsigned a, unsigned b) { return max(a, min(x, b)); }
#define __DUET_CLAMP(N, E)                                                                         \
  __DUET_WEAK_DEVICE N##2 clamp(N##2 v, N##2 a, N##2 b) {                                          \
    return {clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)};                                           \
  }                                                                                                \
  __DUET_WEAK_DEVICE N##3 clamp(N##3 v, N##3 a, N##3 b) {                                          \
    return {clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)};                     \
  }                                                                                                \
  __DUET_WEAK_DEVICE N##4 clamp(N##4 v, N##4 a, N##4 b) {                                          \
    return {clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)}; \
  }                                                                                                \
  __DUET_WEAK_DEVICE N##2 clamp(N##2 v, E a, E b) { return {clamp(v.x, a, b), clamp(v.y, a, b)}; } \
  __DUET_WEAK_DEVICE N##3 clamp(N##3 v, E a, E b) {                                                \
    return {clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)};                                 \
  }                                                                                                \
  __DUET_WEAK_DEVICE N##4 clamp(N##4 v, E a, E b) {                                                \
    return {clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)};               \
  }
__DUET_CLAMP(float, float)
__DUET_CLAMP(int, int)
__DUET_CLAMP(uint, unsigned)
#undef __DUET_CLAMP

#endif
