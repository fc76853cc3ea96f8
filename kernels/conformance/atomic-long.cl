//pass
//--local_size=64 --num_groups=2

// buffers: s:ulong:4 a:ulong:128:random
//
// 64-bit atomics.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void atomic_long_sum(__global ulong *s, __global const ulong *a) {
  size_t i = get_global_id(0);
  atom_add(&s[0], a[i]);
  atom_max(&s[1], a[i]);
  atom_xor(&s[2], a[i]);
  atom_or(&s[3], a[i] & 0x1111111111111111UL);
}
