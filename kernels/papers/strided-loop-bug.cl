//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//write-write-race

// A step of one less than the number of work-items brings two of them to the same place.

__kernel void strided(__global uint *data, uint n) {
  __requires(n <= 100000u);
  uint stride = get_global_size(0) - 1;
  for (uint i = get_global_id(0); i < n; i += stride)
    data[i] = get_global_id(0);
}
