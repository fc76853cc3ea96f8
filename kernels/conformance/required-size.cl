//pass
//--local_size=[8,4] --num_groups=[2,2]

// buffers: out:int:128 a:int:128:random
//
// A kernel that insists on its work-group size.

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void
required_size(__global int *out, __global const int *a) {
  __local int s[4][8];
  size_t x = get_local_id(0);
  size_t y = get_local_id(1);
  size_t flat = get_global_id(1) * 16 + get_global_id(0);
  s[y][x] = a[flat];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[flat] = s[3 - y][7 - x];
}
