//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//(read-write|write-write)-race

// The stride is the size of a group instead of the size of the grid.

__kernel void grid_stride(__global int *data, int n) {
  __requires(n >= 0);
  __requires(n <= 100000);
  for (int i = get_global_id(0); i < n; i += get_local_size(0))
    data[i] = data[i] * 3 + 1;
}
