// Profiler markers, which do nothing.
#pragma once
#include <duet_cuda_prelude.h>
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
__DUET_HOST_API(int, nvtxRangePush)
__DUET_HOST_API(int, nvtxRangePushA)
__DUET_HOST_API(int, nvtxRangePop)
__DUET_HOST_API(void, nvtxMark)
__DUET_HOST_API(void, nvtxMarkA)
__DUET_HOST_API(nvtxRangeId_t, nvtxRangeStartA)
__DUET_HOST_API(void, nvtxRangeEnd)
