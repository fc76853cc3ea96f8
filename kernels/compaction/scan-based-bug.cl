//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// Places start at zero in every group, so the groups write over one another.

__kernel void scatter(__global int *out, __global const int *in) {
  uint l = get_local_id(0);
  int x = in[get_global_id(0)];
  if (x > 0)
    out[l] = x;
}
