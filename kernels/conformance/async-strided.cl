//pass
//--local_size=16 --num_groups=4

// buffers: out:float:64 a:float:256:random
//
// Asynchronous copies with a stride: every fourth element is gathered.

__kernel void async_strided(__global float *out, __global const float *a) {
  __local float in[16];
  size_t base = get_group_id(0) * 16;
  event_t e = async_work_group_strided_copy(in, a + 4 * base, 16, 4, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + get_local_id(0)] = -in[15 - get_local_id(0)];
}
