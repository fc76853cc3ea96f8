//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//write-write-race
//invariant-failed

// Two work-items share an element. The offset is in elements: in bytes the claim would hold
// of the first two.

__kernel void shift(__global float *restrict out, int n) {
  size_t x = get_global_id(0);
  for (int i = 0; i < n; i++)
    out[x / 2] = x;
  __function_wide_invariant(__write_implies(out, __write_offset(out) == 4 * (x / 2)));
}
