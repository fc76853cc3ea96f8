//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The stride is no power of two, so pairs share elements.

__kernel void bitonic_step(__global int *data, uint stride, uint size) {
  __requires(stride == 6);
  uint i = get_global_id(0);
  uint low = 2 * i - (i & (stride - 1));
  int x = data[low];
  int y = data[low + stride];
  if ((x > y) == ((i & (size >> 1)) == 0)) {
    data[low] = y;
    data[low + stride] = x;
  }
}
