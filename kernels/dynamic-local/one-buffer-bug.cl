//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// The barrier comes too late.

__kernel void mirror(__global int *out, __global const int *in, __local int *s) {
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  out[get_global_id(0)] = s[get_local_size(0) - 1 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
}
