//pass
//--local_size=32 --num_groups=2

// buffers: out:uint:512 a:uint:512:random
//
// Vectors carried round a loop.

__kernel void vector_loop(__global uint8 *out, __global const uint8 *a) {
  size_t i = get_global_id(0);
  uint8 x = a[i];
  uint8 sum = (uint8)(0);
  for (uint k = 0; k < 10 + i % 3; k++) {
    sum += x * (uint8)(k, 1, 2, 3, k, 5, 6, 7);
    x = x.s12345670 ^ (x >> 3u);
  }
  out[i] = sum;
}
