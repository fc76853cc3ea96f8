//pass
//--local_size=32 --num_groups=1

// Neighbours are exchanged, even pairs and odd pairs in turn.

__kernel void odd_even_sort(__global int *data) {
  uint l = get_local_id(0);
  for (uint phase = 0; phase < 64; phase++) {
    uint i = 2 * l + (phase & 1);
    if (i + 1 < 64 && data[i] > data[i + 1]) {
      int t = data[i];
      data[i] = data[i + 1];
      data[i + 1] = t;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
