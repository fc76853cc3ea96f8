//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//write-write-race

// A counter that is never moved hands out the same place to all.

__kernel void step_zero(__global int *out, __global uint *counter) {
  out[atomic_add(counter, 0)] = get_local_id(0);
}
