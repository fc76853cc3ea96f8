// Barriers and fences. `__syncthreads` orders shared and global memory.
#pragma once
#pragma clang system_header

// The name itself belongs to the compiler, which makes it the target's own barrier.
__DUET_WEAK_DEVICE void __duet_syncthreads() { __duet_barrier_block(3); }
#define __syncthreads __duet_syncthreads
__DUET_WEAK_DEVICE int __syncthreads_count(int predicate) { return __duet_barrier_count(predicate); }
__DUET_WEAK_DEVICE int __syncthreads_and(int predicate) { return __duet_barrier_and(predicate); }
__DUET_WEAK_DEVICE int __syncthreads_or(int predicate) { return __duet_barrier_or(predicate); }
__DUET_WEAK_DEVICE void __syncwarp(unsigned mask = 0xffffffff) { __duet_barrier_warp(mask); }

__DUET_WEAK_DEVICE void __threadfence_block() { __duet_fence_block(); }
__DUET_WEAK_DEVICE void __threadfence() { __duet_fence_device(); }
__DUET_WEAK_DEVICE void __threadfence_system() { __duet_fence_system(); }
__DUET_WEAK_DEVICE void __membar_cta() { __duet_fence_block(); }
__DUET_WEAK_DEVICE void __membar_gl() { __duet_fence_device(); }
__DUET_WEAK_DEVICE void __membar_sys() { __duet_fence_system(); }
