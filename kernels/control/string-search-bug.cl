//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// Only one hit is wanted, and the last writer wins.

__kernel void search(__global uint *first, __global const uchar *text, __constant uchar *word,
                     int length) {
  size_t i = get_global_id(0);
  for (int k = 0; k < length; k++)
    if (text[i + k] != word[k])
      return;
  *first = i;
}
