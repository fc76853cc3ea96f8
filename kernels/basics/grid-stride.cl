//pass
//--local_size=64 --num_groups=4

// A fixed number of work-items runs over an array of any length.

__kernel void grid_stride(__global int *data, int n) {
  __requires(n >= 0);
  __requires(n <= 100000);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    data[i] = data[i] * 3 + 1;
}
