//pass
//--local_size=64 --num_groups=1

// buffers: seen:uint:64 total:uint:2
//
// The values that a counter hands out are a permutation, in whatever order.

__kernel void atomic_results(__global uint *seen, __global uint *total) {
  uint ticket = atomic_inc(&total[0]);
  atomic_add(&seen[ticket & 63], ticket * ticket);
  atomic_xchg(&total[1], 7u);
}
