//xfail:NOT_ALL_VERIFIED
//--local_size=16 --num_groups=4
//race

// The columns are written back with a stride shorter than a row: groups meet.

__kernel void column(__global int *matrix, __global const int *in) {
  __local int s[16];
  s[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(matrix + get_group_id(0), s, 16, 3, 0);
  wait_group_events(1, &e);
}
