//pass
//--local_size=64 --num_groups=4

// Bits are set by many at once, with atomic operations only.

__kernel void mark(__global uint *bitmap, __global const uint *value) {
  uint v = value[get_global_id(0)] % 1024;
  atomic_or(&bitmap[v / 32], 1u << (v % 32));
}
