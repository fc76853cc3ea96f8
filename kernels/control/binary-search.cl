//pass
//--local_size=64 --num_groups=2

// Each work-item looks for one key in a sorted table.

__kernel void lower_bound(__global int *found, __global const int *table,
                          __global const int *key, int n) {
  __requires(n >= 0);
  __requires(n <= 100000);
  size_t i = get_global_id(0);
  int low = 0;
  int high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (table[middle] < key[i])
      low = middle + 1;
    else
      high = middle;
  }
  found[i] = low;
}
