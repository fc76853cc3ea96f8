//pass
//--local_size=32 --num_groups=4

// buffers: out:int:128 a:int:128:random
//
// Asynchronous copies into local memory and back.

__kernel void async_copy(__global int *out, __global const int *a) {
  __local int in[32];
  __local int result[32];
  size_t l = get_local_id(0);
  size_t base = get_group_id(0) * 32;
  event_t e = async_work_group_copy(in, a + base, 32, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  result[l] = (in[l] >> 1) + (in[(l + 1) % 32] >> 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + base, result, 32, 0);
  wait_group_events(1, &e);
}
