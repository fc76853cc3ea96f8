// Clocks, traps, assertions, output, and other hardware odds and ends.
#pragma once
#pragma clang system_header

// A clock's value is unknown, and another one at each call.
__DUET_WEAK_DEVICE long long clock64() { return (long long)__duet_fresh_i64(); }
extern "C" __DUET_FN long clock() noexcept { return (long)__duet_fresh_i64(); }
__DUET_WEAK_DEVICE unsigned long long __globaltimer() { return __duet_fresh_i64(); }
__DUET_WEAK_DEVICE unsigned __smid() { return __duet_fresh_i32(); }
__DUET_WEAK_DEVICE void __nanosleep(unsigned) {}

__DUET_EXTERN __attribute__((noreturn)) void __trap();
__DUET_EXTERN __attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__DUET_EXTERN __attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned, const char *) noexcept;
__DUET_EXTERN __attribute__((noreturn)) void abort() noexcept;
__DUET_WEAK_DEVICE void __brkpt() {}
__DUET_WEAK_DEVICE void __prof_trigger(int) {}

__DUET_EXTERN int printf(const char *, ...);
__DUET_EXTERN int vprintf(const char *, __builtin_va_list);

