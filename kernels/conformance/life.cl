//pass
//--local_size=[8,8] --num_groups=[2,2]

// buffers: out:uchar:256 a:uchar:256:random
//
// One generation of Conway's game on a torus.

__kernel void life(__global uchar *out, __global const uchar *a) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        count += a[(y + dy & 15) * 16 + (x + dx & 15)] >> 7;
  out[y * 16 + x] = count == 3 || (count == 2 && a[y * 16 + x] >> 7);
}
