//pass
//--local_size=64 --num_groups=4

// buffers: out:int:256 a:int:256:random
//
// Each group reverses its part through local memory.

__kernel void local_reverse(__global int *out, __global const int *a) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_size(0) - 1 - l];
}
