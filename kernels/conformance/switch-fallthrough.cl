//pass
//--local_size=64 --num_groups=2

// buffers: out:int:128 a:int:128:random
//
// A switch with shared labels, fall-through, a default in the middle and gaps.

__kernel void switch_fallthrough(__global int *out, __global const int *a) {
  size_t i = get_global_id(0);
  int r = 1;
  switch (a[i] & 15) {
  case 0:
  case 1:
    r = 10;
  case 2:
    r += 5;
    break;
  default:
    r = -r;
  case 7:
    r -= 2;
    break;
  case 9:
    r = 99;
  case 12: {
    r *= 3;
    if (a[i] & 16)
      break;
    r++;
  }
  case 15:
    r ^= 0x40;
  }
  out[i] = r;
}
