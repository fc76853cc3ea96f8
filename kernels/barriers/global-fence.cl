//pass
//--local_size=64 --num_groups=2

// Global memory is exchanged within a group under the flag for global memory.

__kernel void rotate_group(__global int *out, __global int *scratch, __global const int *in) {
  size_t l = get_local_id(0);
  size_t base = get_group_id(0) * 64;
  scratch[base + l] = in[base + l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + l] = scratch[base + (l + 1) % 64];
}
