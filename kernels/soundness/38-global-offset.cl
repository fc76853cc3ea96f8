//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --global-offset=64
//race

// The same with an offset.

kernel void offset(global int *a) {
  if (get_global_id(0) >= 64)
    a[0] = get_local_id(0);
}
