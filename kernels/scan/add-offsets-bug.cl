//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//read-write-race

// The sums are taken from the array that the groups are changing.

__kernel void add_offsets(__global int *data) {
  __local int offset;
  if (get_local_id(0) == 0) {
    int sum = 0;
    for (size_t g = 0; g < get_group_id(0); g++)
      sum += data[64 * g + 63];
    offset = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] += offset;
}
