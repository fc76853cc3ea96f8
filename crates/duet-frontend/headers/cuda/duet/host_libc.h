// What nvcc's implicit include brings for host code: the C library's headers,
// where the target has them. They come after our device functions, so that the
// C++ library's constexpr functions give way to them. A 32-bit device target
// usually has no such headers; kernels need none.
#pragma once

#if __SIZEOF_POINTER__ == 8 && !defined(__DUET_NO_HOST_LIBC__) && __has_include(<stdlib.h>)
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
