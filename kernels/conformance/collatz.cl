//pass
//--local_size=64 --num_groups=4

// buffers: out:ushort:256 peak:ulong:256
//
// A loop whose number of turns depends on the work-item in no simple way.

__kernel void collatz(__global ushort *out, __global ulong *peak) {
  size_t i = get_global_id(0);
  ulong x = i + 1;
  ulong top = x;
  ushort steps = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    top = max(top, x);
    steps++;
  }
  out[i] = steps;
  peak[i] = top;
}
