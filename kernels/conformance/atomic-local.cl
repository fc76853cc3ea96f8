//pass
//--local_size=64 --num_groups=4

// buffers: out:int:32 a:int:256:random
//
// Every atomic operation on local memory whose final value does not depend on the order.

__kernel void atomic_local(__global int *out, __global const int *a) {
  __local int s[8];
  int l = get_local_id(0);
  int x = a[get_global_id(0)];
  if (l < 8)
    s[l] = l == 4 ? -1 : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&s[0], x >> 8);
  atomic_sub(&s[1], x >> 9);
  atomic_min(&s[2], x);
  atomic_max(&s[3], x);
  atomic_and(&s[4], x | 0xff);
  atomic_or(&s[5], x & 0x7070707);
  atomic_xor(&s[6], x);
  if (x & 1)
    atomic_inc(&s[7]);
  else
    atomic_dec(&s[7]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8)
    out[get_group_id(0) * 8 + l] = s[l];
}
