//pass
//--local_size=16 --num_groups=4

// Every fourth element is gathered by a strided copy.

__kernel void column(__global int *out, __global const int *matrix) {
  __local int s[16];
  event_t e = async_work_group_strided_copy(s, matrix + get_group_id(0), 16, 4, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_id(0)];
}
