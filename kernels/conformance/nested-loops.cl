//pass
//--local_size=64 --num_groups=2

// buffers: out:int:384 a:int:128:random
//
// Three loops deep with break and continue at each level.

__kernel void nested_loops(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  int limit = (a[i] & 15) + 3;
  int visits = 0;
  int skipped = 0;
  uint hash = 17;
  for (int x = 0; x < limit; x++) {
    if (x % 5 == 4)
      continue;
    for (int y = x; y < 12; y += 2) {
      if ((x ^ y) == 7)
        break;
      int z = 0;
      while (true) {
        z++;
        if (z > y)
          break;
        if ((z + x) % 3 == 0) {
          skipped++;
          continue;
        }
        visits++;
        hash = hash * 33 + (uint)(x + 2 * y + 4 * z);
      }
    }
  }
  out[3 * i + 0] = visits;
  out[3 * i + 1] = skipped;
  out[3 * i + 2] = (int)hash;
}
