//pass
//--local_size=64 --num_groups=2

// The host gives the local memory; its size is known to the host only.

__kernel void mirror(__global int *out, __global const int *in, __local int *s) {
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[get_local_size(0) - 1 - l];
}
