//pass
//--local_size=64 --num_groups=2

// A text is searched for a word, each place by one work-item, and hits are counted.

__kernel void search(__global uchar *hit, __global uint *count, __global const uchar *text,
                     __constant uchar *word, int length) {
  size_t i = get_global_id(0);
  for (int k = 0; k < length; k++) {
    if (text[i + k] != word[k]) {
      hit[i] = 0;
      return;
    }
  }
  hit[i] = 1;
  atomic_inc(count);
}
