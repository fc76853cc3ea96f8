// cuFFT's host API, declared and no more.
#pragma once
#pragma clang system_header
#include <cuComplex.h>
#define _CUFFT_H_

enum cufftResult_t {
  CUFFT_SUCCESS,
  CUFFT_INVALID_PLAN,
  CUFFT_ALLOC_FAILED,
  CUFFT_INVALID_TYPE,
  CUFFT_INVALID_VALUE,
  CUFFT_INTERNAL_ERROR,
  CUFFT_EXEC_FAILED,
  CUFFT_SETUP_FAILED,
  CUFFT_INVALID_SIZE,
  CUFFT_UNALIGNED_DATA,
  CUFFT_INCOMPLETE_PARAMETER_LIST,
  CUFFT_INVALID_DEVICE,
  CUFFT_PARSE_ERROR,
  CUFFT_NO_WORKSPACE,
  CUFFT_NOT_IMPLEMENTED,
  CUFFT_LICENSE_ERROR,
  CUFFT_NOT_SUPPORTED,
  CUFFT_MISSING_DEPENDENCY,
  CUFFT_NVRTC_FAILURE,
  CUFFT_NVJITLINK_FAILURE,
  CUFFT_NVSHMEM_FAILURE
};
typedef enum cufftResult_t cufftResult;
enum cufftType_t {
  CUFFT_C2C = 0x29,
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_Z2Z = 0x69,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
};
typedef enum cufftType_t cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define MAX_CUFFT_ERROR 0x11

#define __DUET_CUFFT(X)                                                                            \
  X(cufftCreate) X(cufftDestroy) X(cufftEstimate1d) X(cufftExecC2C) X(cufftExecC2R)                \
  X(cufftExecD2Z) X(cufftExecR2C) X(cufftExecZ2D) X(cufftExecZ2Z) X(cufftGetSize)                  \
  X(cufftGetVersion) X(cufftMakePlan1d) X(cufftMakePlan2d) X(cufftMakePlan3d)                      \
  X(cufftMakePlanMany) X(cufftPlan1d) X(cufftPlan2d) X(cufftPlan3d) X(cufftPlanMany)               \
  X(cufftSetAutoAllocation) X(cufftSetStream) X(cufftSetWorkArea) X(cufftXtExecDescriptorC2C)      \
  X(cufftXtExecDescriptorZ2Z) X(cufftXtMakePlanMany) X(cufftXtExec) X(cufftXtFree) X(cufftXtMalloc) X(cufftXtMemcpy)                     \
  X(cufftXtSetCallback) X(cufftXtSetGPUs)
#define __DUET_DECLARE(NAME) __DUET_HOST_API(cufftResult, NAME)
__DUET_CUFFT(__DUET_DECLARE)
#undef __DUET_DECLARE
#undef __DUET_CUFFT
