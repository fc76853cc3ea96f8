//pass
//--local_size=64 --num_groups=4

// buffers: s:int:8 u:uint:8:random a:int:256:random
//
// Atomic operations on global memory by all work-items; only the final values are looked at.

__kernel void atomic_global(__global int *s, __global uint *u, __global const int *a) {
  size_t i = get_global_id(0);
  int x = a[i];
  atomic_add(&s[0], x >> 10);
  atomic_sub(&s[1], x >> 11);
  atomic_min(&s[2], x);
  atomic_max(&s[3], x);
  atomic_or(&s[4], 1 << (x & 31));
  atomic_xor(&s[5], x);
  atomic_inc(&s[6]);
  atomic_dec(&s[7]);
  atomic_min(&u[0], (uint)x);
  atomic_max(&u[1], (uint)x);
  atomic_and(&u[2], (uint)x | 0xf0f0f0f0u);
  atomic_add(&u[3], (uint)x);
}
