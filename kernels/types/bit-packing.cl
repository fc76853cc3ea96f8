//pass
//--local_size=32 --num_groups=4

// Mersenne-like tempering, then the low bits of 32 results packed into one word by one work-item.

uint temper(uint x) {
  x ^= x >> 11;
  x ^= x << 7 & 0x9d2c5680u;
  x ^= x << 15 & 0xefc60000u;
  return x ^ x >> 18;
}

__kernel void random_bits(__global uint *word, __global uint *state) {
  __local uchar bit[32];
  uint l = get_local_id(0);
  uint x = temper(state[get_global_id(0)]);
  state[get_global_id(0)] = x;
  bit[l] = x & 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    uint packed = 0;
    for (uint k = 0; k < 32; k++)
      packed |= (uint)bit[k] << k;
    word[get_group_id(0)] = packed;
  }
}
