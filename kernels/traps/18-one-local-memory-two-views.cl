//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//read-write-race

// Two pointers of different types into one array.

__kernel void two_views(__global float *out, __local int *pool) {
  __local int *a = pool;
  __local float *f = (__local float *)pool;
  int l = get_local_id(0);
  a[l] = l;
  out[l] = f[(l + 1) % 64];
}
