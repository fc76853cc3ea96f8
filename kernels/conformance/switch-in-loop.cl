//pass
//--local_size=64 --num_groups=2

// buffers: out:int:256 a:uint:128:random
//
// A small machine: break leaves the switch, continue the turn, return the kernel.

__kernel void switch_in_loop(__global int *out, __global const uint *a) {
  size_t i = get_global_id(0);
  uint code = a[i];
  int acc = (int)(i & 31);
  int turns = 0;
  out[2 * i + 1] = -1;
  for (; turns < 16; turns++, code >>= 2) {
    switch (code & 3u) {
    case 0:
      acc += 3;
      continue;
    case 1:
      acc = acc * 2 & 0xffff;
      break;
    case 2:
      if (acc > 5000) {
        out[2 * i] = acc;
        return;
      }
      acc -= 1;
      break;
    case 3:
      acc ^= 0x2a;
    }
    acc++;
  }
  out[2 * i] = acc;
  out[2 * i + 1] = turns;
}
