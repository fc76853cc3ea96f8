// What nvcc's implicit include brings for host code: the C library's headers,
// where the target has them. They come after our device functions, so that the
// C++ library's constexpr functions give way to them. A 32-bit device target
// usually has no such headers; kernels need none.
#pragma once
#pragma clang system_header

#if __SIZEOF_POINTER__ == 8 && !defined(__DUET_NO_HOST_LIBC__) && __has_include(<stdlib.h>)

// The C headers themselves, not the C++ library's around them: those would load
// half the C++ library into every compilation. What they define as macros gives
// way to the functions.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#undef fpclassify
#undef isfinite
#undef isgreater
#undef isgreaterequal
#undef isinf
#undef isless
#undef islessequal
#undef islessgreater
#undef isnan
#undef isnormal
#undef isunordered
#undef signbit

#endif

// The device heap by operators. A `new` header of our own keeps clang's from
// defining them a second time.
__DUET_FN void *operator new(size_t n) { return __duet_malloc(n); }
__DUET_FN void *operator new[](size_t n) { return __duet_malloc(n); }
__DUET_FN void operator delete(void *p) noexcept { __duet_free(p); }
__DUET_FN void operator delete[](void *p) noexcept { __duet_free(p); }
__DUET_FN void operator delete(void *p, size_t) noexcept { __duet_free(p); }
__DUET_FN void operator delete[](void *p, size_t) noexcept { __duet_free(p); }
__DUET_FN void operator delete(void *, void *) noexcept {}
__DUET_FN void operator delete[](void *, void *) noexcept {}
__DUET_FN void *operator new(size_t, void *p) noexcept { return p; }
__DUET_FN void *operator new[](size_t, void *p) noexcept { return p; }

// Old kernels call `assert` without its header, which replaces this one.
#ifndef assert
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
