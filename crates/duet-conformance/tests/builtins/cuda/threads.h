// Exchanges among lanes and threads, and atomics.
#define IN(L) (mask >> (L) & 1)
#define SHUFFLES(ID, T)                                                                            \
  WARP(shfl_##ID, "__shfl_sync", T, T, __shfl_sync(mask, v, (int)(lane * 7 + 3), 16), { return v[lane / 16 * 16 + (lane * 7 + 3) % 16]; }) \
  WARP(shfl_up_##ID, "__shfl_up_sync", T, T, __shfl_up_sync(mask, v, 3, 16), { return lane % 16 < 3 ? v[lane] : v[lane - 3]; }) \
  WARP(shfl_down_##ID, "__shfl_down_sync", T, T, __shfl_down_sync(mask, v, 5, 8), { return lane % 8 + 5 > 7 ? v[lane] : v[lane + 5]; }) \
  WARP(shfl_xor_##ID, "__shfl_xor_sync", T, T, __shfl_xor_sync(mask, v, 5, 16), { return v[lane ^ 5]; })
SHUFFLES(i, int) SHUFFLES(u, unsigned) SHUFFLES(l, long) SHUFFLES(ul, unsigned long)
SHUFFLES(ll, long long) SHUFFLES(ull, unsigned long long) SHUFFLES(f, float) SHUFFLES(d, double)
// A larger lane of the segment than one's own is not read by xor within less than a warp.
WARP(shfl_xor_out, "__shfl_xor_sync", int, int, __shfl_xor_sync(mask, v, 8, 8), { unsigned from = lane ^ 8; return from < lane || from % 32 / 8 == lane / 8 ? v[from] : v[lane]; })
WARP(all, "__all_sync", int, int, __all_sync(mask, v > -5000) != 0, { for (int l = 0; l < 32; l++) if (IN(l) && !(v[l] > -5000)) return 0; return 1; })
WARP(all_true, "__all_sync", int, int, __all_sync(mask, lane < 40 && v == v) != 0, { return 1; })
WARP(any, "__any_sync", int, int, __any_sync(mask, v == 100) != 0, { for (int l = 0; l < 32; l++) if (IN(l) && v[l] == 100) return 1; return 0; })
WARP(uni, "__uni_sync", int, int, __uni_sync(mask, v > 0) != 0, { int seen = 0; for (int l = 0; l < 32; l++) if (IN(l)) seen |= v[l] > 0 ? 1 : 2; return seen != 3; })
WARP(ballot, "__ballot_sync", unsigned, int, __ballot_sync(mask, v > 0), { unsigned r = 0; for (int l = 0; l < 32; l++) if (IN(l) && v[l] > 0) r |= 1u << l; return r; })
#define MATCH(ID, T, KEY)                                                                          \
  WARP(match_any_##ID, "__match_any_sync", unsigned, T, __match_any_sync(mask, KEY(v)), { unsigned r = 0; for (int l = 0; l < 32; l++) if (IN(l) && KEY(v[l]) == KEY(v[lane])) r |= 1u << l; return r; }) \
  WARP(match_all_##ID, "__match_all_sync", unsigned, T, ({ int p; unsigned m = __match_all_sync(mask, KEY(v), &p); m + 2 * (p != 0); }), { for (int l = 0; l < 32; l++) if (IN(l) && KEY(v[l]) != KEY(v[lane])) return 0; return mask + 2; })
#define LOW2(X) ((X) & 3)
#define NONE(X) ((X) & 0)
MATCH(i, int, LOW2) MATCH(u, unsigned, LOW2) MATCH(ll, long long, LOW2) MATCH(ull, unsigned long long, LOW2) MATCH(same, int, NONE)
#define REDUCE(ID, NAME, T, START, EXPR) WARP(reduce_##ID, #NAME, T, T, NAME(mask, v), { T r = START; for (int l = 0; l < 32; l++) if (IN(l)) r = EXPR; return r; })
REDUCE(add_u, __reduce_add_sync, unsigned, 0, r + v[l])
REDUCE(add_i, __reduce_add_sync, int, 0, (int)((unsigned)r + (unsigned)v[l]))
REDUCE(min_u, __reduce_min_sync, unsigned, ~0u, r < v[l] ? r : v[l])
REDUCE(min_i, __reduce_min_sync, int, 0x7fffffff, r < v[l] ? r : v[l])
REDUCE(max_u, __reduce_max_sync, unsigned, 0, r > v[l] ? r : v[l])
REDUCE(max_i, __reduce_max_sync, int, -0x7fffffff - 1, r > v[l] ? r : v[l])
REDUCE(and, __reduce_and_sync, unsigned, ~0u, r & v[l])
REDUCE(or, __reduce_or_sync, unsigned, 0, r | v[l])
REDUCE(xor, __reduce_xor_sync, unsigned, 0, r ^ v[l])

BLOCK(count, "__syncthreads_count", int, int, __syncthreads_count(v > 0), { int n = 0; for (int l = 0; l < THREADS; l++) n += v[l] > 0; return n; })
BLOCK(and_, "__syncthreads_and", int, int, __syncthreads_and(v != 12345) != 0, { for (int l = 0; l < THREADS; l++) if (v[l] == 12345) return 0; return 1; })
BLOCK(and_0, "__syncthreads_and", int, int, __syncthreads_and(v != 100) != 0, { for (int l = 0; l < THREADS; l++) if (v[l] == 100) return 0; return 1; })
BLOCK(or_, "__syncthreads_or", int, int, __syncthreads_or(v == 100) != 0, { for (int l = 0; l < THREADS; l++) if (v[l] == 100) return 1; return 0; })
BLOCK(or_0, "__syncthreads_or", int, int, __syncthreads_or(v == 12345) != 0, { for (int l = 0; l < THREADS; l++) if (v[l] == 12345) return 1; return 0; })

#define SCOPES(ID, NAME, T, ...)                                                                   \
  ATOMIC(NAME##_##ID, #NAME, T, NAME(p, x), __VA_ARGS__)                                           \
  ATOMIC(NAME##_block_##ID, #NAME "_block", T, NAME##_block(p, x), __VA_ARGS__)                    \
  ATOMIC(NAME##_system_##ID, #NAME "_system", T, NAME##_system(p, x), __VA_ARGS__)
#define COMMON(ID, T, U)                                                                           \
  SCOPES(ID, atomicExch, T, { return x; })                                                         \
  SCOPES(ID, atomicMin, T, { return old < x ? old : x; })                                          \
  SCOPES(ID, atomicMax, T, { return old > x ? old : x; })                                          \
  SCOPES(ID, atomicAnd, T, { return old & x; })                                                    \
  SCOPES(ID, atomicOr, T, { return old | x; })                                                     \
  SCOPES(ID, atomicXor, T, { return old ^ x; })                                                    \
  ATOMIC(atomicCAS_hit_##ID, "atomicCAS", T, atomicCAS(p, *p, y), { return y; })                   \
  ATOMIC(atomicCAS_miss_##ID, "atomicCAS", T, atomicCAS(p, (T)(*p + 1), y), { return old; })       \
  ATOMIC(atomicCAS_block_##ID, "atomicCAS_block", T, atomicCAS_block(p, *p, y), { return y; })     \
  ATOMIC(atomicCAS_system_##ID, "atomicCAS_system", T, atomicCAS_system(p, *p, y), { return y; })
COMMON(i, int, unsigned) COMMON(u, unsigned, unsigned) COMMON(ll, long long, unsigned long long)
COMMON(ull, unsigned long long, unsigned long long)
SCOPES(i, atomicAdd, int, { return (int)((unsigned)old + (unsigned)x); })
SCOPES(u, atomicAdd, unsigned, { return old + x; })
SCOPES(ull, atomicAdd, unsigned long long, { return old + x; })
SCOPES(f, atomicAdd, float, { return old + x; })
SCOPES(d, atomicAdd, double, { return old + x; })
SCOPES(i, atomicSub, int, { return (int)((unsigned)old - (unsigned)x); })
SCOPES(u, atomicSub, unsigned, { return old - x; })
SCOPES(u, atomicInc, unsigned, { return old >= x ? 0 : old + 1; })
SCOPES(u, atomicDec, unsigned, { return old == 0 || old > x ? x : old - 1; })
SCOPES(f, atomicExch, float, { return x; })
ATOMIC(atomicCAS_16_hit, "atomicCAS", unsigned short, atomicCAS(p, *p, y), { return y; })
ATOMIC(atomicCAS_16_miss, "atomicCAS", unsigned short, atomicCAS(p, (unsigned short)(*p + 1), y), { return old; })

// Cache hints change no value.
#define LOADS(NAME) CASE(NAME, #NAME, u64_t, (u64_t x), ({ u64_t cell = x; NAME(&cell); }), { return x; })
typedef unsigned long long u64_t;
LOADS(__ldca) LOADS(__ldcg) LOADS(__ldcs) LOADS(__ldlu) LOADS(__ldcv)
#define STORES(NAME) CASE(NAME, #NAME, u64_t, (u64_t x), ({ u64_t cell = 1; NAME(&cell, x); cell; }), { return x; })
STORES(__stwb) STORES(__stcg) STORES(__stcs) STORES(__stwt)
