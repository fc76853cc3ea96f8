//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
//race

// The next round starts one element early.
__kernel void scale(__global float *a, float factor, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0) - 1)
    a[i] *= factor;
}
