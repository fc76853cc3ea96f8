//pass
//--local_size=32 --num_groups=4

// Each group copies to a part of its own.

__kernel void gather(__global float *out, __global const float *in) {
  __local float s[32];
  s[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + 32 * get_group_id(0), s, 32, 0);
  wait_group_events(1, &e);
}
