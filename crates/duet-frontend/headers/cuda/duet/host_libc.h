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
// clang's own wrapper of this one defines the device's operators, on top of our
// malloc and free.
#include <new>

#else

// What that wrapper would have defined.
#define __CLANG_CUDA_WRAPPERS_NEW
__DUET_FN void *operator new(size_t n) { return __duet_malloc(n); }
__DUET_FN void *operator new[](size_t n) { return __duet_malloc(n); }
__DUET_FN void operator delete(void *p) noexcept { __duet_free(p); }
__DUET_FN void operator delete[](void *p) noexcept { __duet_free(p); }
__DUET_FN void operator delete(void *p, size_t) noexcept { __duet_free(p); }
__DUET_FN void operator delete[](void *p, size_t) noexcept { __duet_free(p); }
__DUET_FN void *operator new(size_t, void *p) noexcept { return p; }
__DUET_FN void *operator new[](size_t, void *p) noexcept { return p; }

#endif

// Old kernels call `assert` without its header, which replaces this one.
#ifndef assert
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
