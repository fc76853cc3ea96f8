//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=4
//race

// Every work-item sets its own bit of a shared word with a plain read and write.

uint temper(uint x) {
  x ^= x >> 11;
  x ^= x << 7 & 0x9d2c5680u;
  x ^= x << 15 & 0xefc60000u;
  return x ^ x >> 18;
}

__kernel void random_bits(__global uint *word, __global uint *state) {
  uint l = get_local_id(0);
  uint x = temper(state[get_global_id(0)]);
  state[get_global_id(0)] = x;
  word[get_group_id(0)] |= (x & 1) << l;
}
