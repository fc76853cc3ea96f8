//pass
//--local_size=64 --num_groups=2

// Local memory is exchanged under the flag for local memory.

__kernel void rotate_group(__global int *out, __global const int *in) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[(l + 1) % 64];
}
