//pass
//--local_size=64 --num_groups=4

// Old names: offsets in elements, not in bytes.

__kernel void shift(__global float *restrict out, __global const float4 *restrict in, int n) {
  size_t x = get_global_id(0);
  for (int i = 0; i < n; i++)
    out[x] += in[x + i].x;
  __function_wide_invariant(__write_implies(out, __write_offset(out) == x));
  __function_wide_invariant(__implies(__read(in), __read_offset(in) >= x));
  __assert(__ptr_offset(out + 3) == 3);
}
