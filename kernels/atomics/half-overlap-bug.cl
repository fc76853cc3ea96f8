//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1
//race

// One half of the work-items uses atomics on words, the other writes bytes of these words.

__kernel void overlap(__global uint *word) {
  uint l = get_local_id(0);
  if (l < 16)
    atomic_add(&word[l], 0x100u);
  else
    ((__global uchar *)word)[4 * (l - 16) + 1] = 7;
}
