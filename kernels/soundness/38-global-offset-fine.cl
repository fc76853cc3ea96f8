//pass
//--local_size=64 --num_groups=1
//the global offset is 0

// A launch with an offset would let the threads meet, so that there is none is listed.

kernel void offset(global int *a) {
  if (get_global_id(0) >= 64)
    a[0] = get_local_id(0);
}
