// The driver API for host code, declared and no more; kernels that include
// <cuda.h> for its annotations have them from the prelude.
#pragma once
#include <duet_cuda_prelude.h>
#define __cuda_cuda_h__
#include "duet/driver_api.h"
// Old kernels use cooperative groups with this header alone.
#include "cooperative_groups.h"
