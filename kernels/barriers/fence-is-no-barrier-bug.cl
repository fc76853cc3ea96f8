//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// mem_fence orders a work-item's own accesses and waits for nobody.

__kernel void rotate_group(__global int *out, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[(l + 1) % 64];
}
