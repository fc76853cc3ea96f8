// The host side of cuRAND, declared and no more.
#pragma once
#pragma clang system_header
#include <duet_cuda_prelude.h>
#define CURAND_H_

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef enum curandStatus curandStatus_t;
enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203
};
typedef enum curandRngType curandRngType_t;
enum curandOrdering { CURAND_ORDERING_PSEUDO_DEFAULT = 101, CURAND_ORDERING_QUASI_DEFAULT = 201 };
typedef enum curandOrdering curandOrdering_t;
typedef struct curandGenerator_st *curandGenerator_t;

#define __DUET_CURAND_HOST(X)                                                                      \
  X(curandCreateGenerator) X(curandCreateGeneratorHost) X(curandDestroyGenerator)                  \
  X(curandCreatePoissonDistribution) X(curandDestroyDistribution) X(curandGenerate)                \
  X(curandGenerateLogNormal) X(curandGenerateLogNormalDouble) X(curandGenerateLongLong)            \
  X(curandGenerateNormal) X(curandGenerateNormalDouble) X(curandGeneratePoisson)                   \
  X(curandGenerateSeeds) X(curandGenerateUniform) X(curandGenerateUniformDouble)                   \
  X(curandGetDirectionVectors32) X(curandGetDirectionVectors64) X(curandGetVersion)                \
  X(curandMakeMTGP32Constants) X(curandMakeMTGP32KernelState) X(curandSetGeneratorOffset)          \
  X(curandSetGeneratorOrdering) X(curandSetPseudoRandomGeneratorSeed)                              \
  X(curandSetQuasiRandomGeneratorDimensions) X(curandSetStream)
#define __DUET_DECLARE(NAME) __DUET_HOST_API(curandStatus_t, NAME)
__DUET_CURAND_HOST(__DUET_DECLARE)
#undef __DUET_DECLARE
#undef __DUET_CURAND_HOST
