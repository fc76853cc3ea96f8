//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 tmp:int:128 a:int:128:random
//
// The work-items of a group talk through global memory.

__kernel void barrier_global(__global int *out, __global int *tmp, __global const int *a) {
  size_t l = get_local_id(0);
  size_t base = get_group_id(0) * 64;
  tmp[base + l] = a[base + l] >> 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + l] = tmp[base + 63 - l] - tmp[base + l];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  tmp[base + (l ^ 1)] = (int)l;
}
