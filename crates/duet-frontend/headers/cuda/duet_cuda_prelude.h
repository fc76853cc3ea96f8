// The CUDA prelude: what every CUDA file sees before its first line. It stands
// in for the SDK's implicit `cuda_runtime.h` and adds Duet's annotations. It is
// made to be precompiled (see ../README.md); headers that real CUDA wants
// included by name (cuda_fp16.h, cooperative_groups.h, curand_kernel.h) are
// left out of it.
#ifndef __DUET_CUDA_PRELUDE
#define __DUET_CUDA_PRELUDE
#if __INCLUDE_LEVEL__ > 0 // else it is being precompiled
#pragma clang system_header
#endif

#include "duet/qualifiers.h"
#include "duet/vector_types.h"
#include "duet/intrinsics.h"
#include "duet/geometry.h"
#include "duet/bits.h"
#include "math_constants.h"
#include "duet/math_float.h"
#include "duet/math_integer.h"
#include "duet/math_overloads.h"
#include "duet/convert.h"
#include "duet/simd_in_word.h"
#include "duet/vector_operators.h"
#include "duet/vector_helpers.h"
#include "duet/sync.h"
#include "duet/warp.h"
#include "duet/atomics.h"
#include "duet/memory.h"
#include "duet/system.h"
#include "duet/runtime_types.h"
#include "duet/runtime_api.h"
#include "duet/texture.h"
#include "duet/surface.h"
#include "duet/curand_device.h"
#include "duet/host_libc.h"
#include "duet/annotations.h"

#define __DUET_SCOPE_CHECK extern "C" __attribute__((host)) __attribute__((device))
#include "../common/scoped_atomics.h"

#endif
