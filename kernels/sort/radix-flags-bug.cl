//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The count is read while others still add to it.

__kernel void radix_flags(__global uint *flag, __global uint *zeros, __global const uint *key,
                          uint bit) {
  __local uint count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint digit = key[get_global_id(0)] >> bit & 1;
  flag[get_global_id(0)] = digit;
  if (digit == 0)
    atomic_inc(&count);
  if (get_local_id(0) == 0)
    zeros[get_group_id(0)] = count;
}
