// cuSPARSE's host API as far as common programs name it, declared and no more.
#pragma once
#pragma clang system_header
#include <cuComplex.h>
#define CUSPARSEAPI

enum cusparseStatus_t {
  CUSPARSE_STATUS_SUCCESS,
  CUSPARSE_STATUS_NOT_INITIALIZED,
  CUSPARSE_STATUS_ALLOC_FAILED,
  CUSPARSE_STATUS_INVALID_VALUE,
  CUSPARSE_STATUS_ARCH_MISMATCH,
  CUSPARSE_STATUS_MAPPING_ERROR,
  CUSPARSE_STATUS_EXECUTION_FAILED,
  CUSPARSE_STATUS_INTERNAL_ERROR,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED
};
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
enum cusparseOperation_t {
  CUSPARSE_OPERATION_NON_TRANSPOSE,
  CUSPARSE_OPERATION_TRANSPOSE,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
};
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I };
enum cusparseMatrixType_t { CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC };
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_CSR_ALG1 };

#define __DUET_CUSPARSE(X)                                                                         \
  X(cusparseCreate) X(cusparseDestroy) X(cusparseSetStream) X(cusparseSetPointerMode) X(cusparseCreateMatDescr)              \
  X(cusparseDestroyMatDescr) X(cusparseSetMatType) X(cusparseSetMatIndexBase) X(cusparseCreateCsr) \
  X(cusparseDestroySpMat) X(cusparseCreateDnVec) X(cusparseDestroyDnVec) X(cusparseSpMV)           \
  X(cusparseSpMV_bufferSize) X(cusparseCreateDnMat) X(cusparseDestroyDnMat) X(cusparseSpMM)        \
  X(cusparseSpMM_bufferSize) X(cusparseDnVecSetValues)
#define __DUET_DECLARE(NAME) __DUET_HOST_API(cusparseStatus_t, NAME)
__DUET_CUSPARSE(__DUET_DECLARE)
#undef __DUET_DECLARE
#undef __DUET_CUSPARSE
