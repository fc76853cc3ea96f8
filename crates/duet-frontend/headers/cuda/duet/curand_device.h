// The device side of cuRAND. A state is really read and written: its first eight
// bytes stand for the generator's position, the rest keeps the SDK's size. A
// number drawn, and the position after it, are pure functions of the position
// before it.
#pragma once
#pragma clang system_header

enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

__DUET_PURE unsigned long long __duet_curand_seeded(unsigned long long seed, unsigned long long sequence,
                                                    unsigned long long offset);
__DUET_PURE unsigned long long __duet_curand_next(unsigned long long position);
__DUET_PURE unsigned long long __duet_curand_skipped(unsigned long long position, unsigned long long n);
__DUET_PURE unsigned __duet_curand_bits(unsigned long long position);
__DUET_PURE unsigned long long __duet_curand_bits64(unsigned long long position);
__DUET_PURE float __duet_curand_uniform(unsigned long long position);
__DUET_PURE double __duet_curand_uniform_double(unsigned long long position);
__DUET_PURE float __duet_curand_normal(unsigned long long position);
__DUET_PURE double __duet_curand_normal_double(unsigned long long position);
__DUET_PURE float __duet_curand_log_normal(unsigned long long position, float mean, float deviation);
__DUET_PURE double __duet_curand_log_normal_double(unsigned long long position, double mean, double deviation);
__DUET_PURE unsigned __duet_curand_poisson(unsigned long long position, double lambda);
__DUET_PURE unsigned __duet_curand_discrete(unsigned long long position, unsigned long long distribution);

#define __DUET_CURAND_STATE(NAME, TAG, SIZE)                                                       \
  struct TAG {                                                                                     \
    unsigned long long position;                                                                   \
    unsigned char rest[SIZE - 8];                                                                  \
  };                                                                                               \
  typedef struct TAG NAME;
__DUET_CURAND_STATE(curandStateXORWOW_t, curandStateXORWOW, 48)
__DUET_CURAND_STATE(curandStatePhilox4_32_10_t, curandStatePhilox4_32_10, 64)
__DUET_CURAND_STATE(curandStateMRG32k3a_t, curandStateMRG32k3a, 72)
__DUET_CURAND_STATE(curandStateMtgp32_t, curandStateMtgp32, 4120)
__DUET_CURAND_STATE(curandStateSobol32_t, curandStateSobol32, 144)
__DUET_CURAND_STATE(curandStateSobol64_t, curandStateSobol64, 536)
__DUET_CURAND_STATE(curandStateScrambledSobol32_t, curandStateScrambledSobol32, 144)
__DUET_CURAND_STATE(curandStateScrambledSobol64_t, curandStateScrambledSobol64, 536)
#undef __DUET_CURAND_STATE
typedef curandStateXORWOW_t curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

namespace duet {
// The position of a state, which is moved on.
template <class State> __DUET_FN unsigned long long draw(State *state) {
  unsigned long long position = state->position;
  state->position = __duet_curand_next(position);
  return position;
}
} // namespace duet

#define __DUET_CURAND_INIT(STATE)                                                                  \
  __DUET_WEAK_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence,        \
                             unsigned long long offset, STATE *state) {                            \
    state->position = __duet_curand_seeded(seed, sequence, offset);                                \
  }                                                                                                \
  __DUET_WEAK_DEVICE void skipahead_sequence(unsigned long long n, STATE *state) {                 \
    state->position = __duet_curand_seeded(state->position, n, 0);                                 \
  }
__DUET_CURAND_INIT(curandStateXORWOW_t)
__DUET_CURAND_INIT(curandStatePhilox4_32_10_t)
__DUET_CURAND_INIT(curandStateMRG32k3a_t)
#undef __DUET_CURAND_INIT
// The quasi-random generators keep a copy of their direction vectors.
#define __DUET_CURAND_INIT(STATE, WORD)                                                            \
  __DUET_WEAK_DEVICE void curand_init(WORD *direction, unsigned offset, STATE *state) {            \
    __builtin_memcpy(state->rest, direction, 8 * sizeof(WORD) * sizeof(WORD));                     \
    state->position = __duet_curand_seeded(direction[0], 0, offset);                               \
  }                                                                                                \
  __DUET_WEAK_DEVICE void curand_init(WORD *direction, WORD scramble, unsigned offset, STATE *state) { \
    __builtin_memcpy(state->rest, direction, 8 * sizeof(WORD) * sizeof(WORD));                     \
    state->position = __duet_curand_seeded(direction[0], scramble, offset);                        \
  }
__DUET_CURAND_INIT(curandStateSobol32_t, unsigned)
__DUET_CURAND_INIT(curandStateSobol64_t, unsigned long long)
__DUET_CURAND_INIT(curandStateScrambledSobol32_t, unsigned)
__DUET_CURAND_INIT(curandStateScrambledSobol64_t, unsigned long long)
#undef __DUET_CURAND_INIT

// Everything that draws, for one kind of state; WORD is what `curand` yields.
#define __DUET_CURAND(STATE, WORD, BITS)                                                           \
  __DUET_WEAK_DEVICE WORD curand(STATE *s) { return BITS(duet::draw(s)); }                         \
  __DUET_WEAK_DEVICE float curand_uniform(STATE *s) { return __duet_curand_uniform(duet::draw(s)); } \
  __DUET_WEAK_DEVICE double curand_uniform_double(STATE *s) {                                      \
    return __duet_curand_uniform_double(duet::draw(s));                                            \
  }                                                                                                \
  __DUET_WEAK_DEVICE float curand_normal(STATE *s) { return __duet_curand_normal(duet::draw(s)); } \
  __DUET_WEAK_DEVICE double curand_normal_double(STATE *s) {                                       \
    return __duet_curand_normal_double(duet::draw(s));                                             \
  }                                                                                                \
  __DUET_WEAK_DEVICE float curand_log_normal(STATE *s, float mean, float deviation) {              \
    return __duet_curand_log_normal(duet::draw(s), mean, deviation);                               \
  }                                                                                                \
  __DUET_WEAK_DEVICE double curand_log_normal_double(STATE *s, double mean, double deviation) {    \
    return __duet_curand_log_normal_double(duet::draw(s), mean, deviation);                        \
  }                                                                                                \
  __DUET_WEAK_DEVICE float2 curand_normal2(STATE *s) { return {curand_normal(s), curand_normal(s)}; } \
  __DUET_WEAK_DEVICE double2 curand_normal2_double(STATE *s) {                                     \
    return {curand_normal_double(s), curand_normal_double(s)};                                     \
  }                                                                                                \
  __DUET_WEAK_DEVICE float2 curand_log_normal2(STATE *s, float mean, float deviation) {            \
    return {curand_log_normal(s, mean, deviation), curand_log_normal(s, mean, deviation)};         \
  }                                                                                                \
  __DUET_WEAK_DEVICE double2 curand_log_normal2_double(STATE *s, double mean, double deviation) {  \
    return {curand_log_normal_double(s, mean, deviation), curand_log_normal_double(s, mean, deviation)}; \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned curand_poisson(STATE *s, double lambda) {                            \
    return __duet_curand_poisson(duet::draw(s), lambda);                                           \
  }                                                                                                \
  __DUET_WEAK_DEVICE unsigned curand_discrete(STATE *s, curandDiscreteDistribution_t distribution) { \
    return __duet_curand_discrete(duet::draw(s), (size_t)distribution);                            \
  }                                                                                                \
  __DUET_WEAK_DEVICE void skipahead(unsigned long long n, STATE *s) {                              \
    s->position = __duet_curand_skipped(s->position, n);                                           \
  }
__DUET_CURAND(curandStateXORWOW_t, unsigned, __duet_curand_bits)
__DUET_CURAND(curandStatePhilox4_32_10_t, unsigned, __duet_curand_bits)
__DUET_CURAND(curandStateMRG32k3a_t, unsigned, __duet_curand_bits)
__DUET_CURAND(curandStateMtgp32_t, unsigned, __duet_curand_bits)
__DUET_CURAND(curandStateSobol32_t, unsigned, __duet_curand_bits)
__DUET_CURAND(curandStateScrambledSobol32_t, unsigned, __duet_curand_bits)
__DUET_CURAND(curandStateSobol64_t, unsigned long long, __duet_curand_bits64)
__DUET_CURAND(curandStateScrambledSobol64_t, unsigned long long, __duet_curand_bits64)
#undef __DUET_CURAND

// Four at a time, which only Philox has.
typedef curandStatePhilox4_32_10_t __duet_philox;
__DUET_WEAK_DEVICE uint4 curand4(__duet_philox *s) { return {curand(s), curand(s), curand(s), curand(s)}; }
__DUET_WEAK_DEVICE float4 curand_uniform4(__duet_philox *s) {
  return {curand_uniform(s), curand_uniform(s), curand_uniform(s), curand_uniform(s)};
}
__DUET_WEAK_DEVICE double2 curand_uniform2_double(__duet_philox *s) {
  return {curand_uniform_double(s), curand_uniform_double(s)};
}
__DUET_WEAK_DEVICE double4 curand_uniform4_double(__duet_philox *s) {
  return {curand_uniform_double(s), curand_uniform_double(s), curand_uniform_double(s),
          curand_uniform_double(s)};
}
__DUET_WEAK_DEVICE float4 curand_normal4(__duet_philox *s) {
  return {curand_normal(s), curand_normal(s), curand_normal(s), curand_normal(s)};
}
__DUET_WEAK_DEVICE double4 curand_normal4_double(__duet_philox *s) {
  return {curand_normal_double(s), curand_normal_double(s), curand_normal_double(s),
          curand_normal_double(s)};
}
__DUET_WEAK_DEVICE float4 curand_log_normal4(__duet_philox *s, float mean, float deviation) {
  return {curand_log_normal(s, mean, deviation), curand_log_normal(s, mean, deviation),
          curand_log_normal(s, mean, deviation), curand_log_normal(s, mean, deviation)};
}
__DUET_WEAK_DEVICE uint4 curand_poisson4(__duet_philox *s, double lambda) {
  return {curand_poisson(s, lambda), curand_poisson(s, lambda), curand_poisson(s, lambda),
          curand_poisson(s, lambda)};
}
