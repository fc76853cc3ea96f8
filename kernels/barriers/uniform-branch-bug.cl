//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//exit-before-barrier

// The branch depends on the work-item: only half of a group reaches the barrier.

__kernel void reverse_even_items(__global int *data) {
  __local int s[64];
  size_t l = get_local_id(0);
  s[l] = data[get_global_id(0)];
  if (l % 2 == 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = s[l];
  }
}
