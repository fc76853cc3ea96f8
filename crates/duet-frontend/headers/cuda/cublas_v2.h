// cuBLAS's host API, declared and no more.
#pragma once
#pragma clang system_header
#include <cuComplex.h>
#define CUBLAS_API_H_

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};
typedef cublasStatus_t cublasStatus;
typedef struct cublasContext *cublasHandle_t;
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH };
enum cublasComputeType_t { CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };

#define __DUET_CUBLAS(X)                                                                           \
  X(cublasCreate) X(cublasDestroy) X(cublasGetVersion) X(cublasSetStream) X(cublasGetStream)       \
  X(cublasSetPointerMode) X(cublasSetMathMode) X(cublasSetVector) X(cublasGetVector)               \
  X(cublasSetMatrix) X(cublasGetMatrix) X(cublasSasum) X(cublasDasum) X(cublasSaxpy)               \
  X(cublasDaxpy) X(cublasScopy) X(cublasDcopy) X(cublasSdot) X(cublasDdot) X(cublasSnrm2)          \
  X(cublasDnrm2) X(cublasSscal) X(cublasDscal) X(cublasSswap) X(cublasIsamax) X(cublasIdamax)      \
  X(cublasSgemv) X(cublasDgemv) X(cublasSger) X(cublasDger) X(cublasStrsv) X(cublasDtrsv)          \
  X(cublasSgemm) X(cublasDgemm) X(cublasCgemm) X(cublasZgemm) X(cublasHgemm) X(cublasGemmEx)       \
  X(cublasSgemmBatched) X(cublasDgemmBatched) X(cublasSgemmStridedBatched)                         \
  X(cublasDgemmStridedBatched) X(cublasStrsm) X(cublasDtrsm) X(cublasSsyrk) X(cublasDsyrk)
#define __DUET_DECLARE(NAME) __DUET_HOST_API(cublasStatus_t, NAME)
__DUET_CUBLAS(__DUET_DECLARE)
#undef __DUET_DECLARE
#undef __DUET_CUBLAS
