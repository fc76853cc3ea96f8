//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//read-write-race

// The flag names local memory, so accesses to global memory are not ordered.

__kernel void rotate_group(__global int *out, __global int *scratch, __global const int *in) {
  size_t l = get_local_id(0);
  size_t base = get_group_id(0) * 64;
  scratch[base + l] = in[base + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = scratch[base + (l + 1) % 64];
}
