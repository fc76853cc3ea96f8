//pass
//--local_size=64 --num_groups=2

// buffers: bins:uint:16 a:uchar:1024:random
//
// Counts in local memory, then one addition per group and bin.

__kernel void atomic_histogram(__global uint *bins, __global const uchar *a) {
  __local uint s[16];
  uint l = get_local_id(0);
  if (l < 16)
    s[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < 1024; i += get_global_size(0))
    atomic_inc(&s[a[i] >> 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16)
    atomic_add(&bins[l], s[l]);
}
