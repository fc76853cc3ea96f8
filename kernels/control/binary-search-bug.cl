//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// The result is stored where the key was found, and keys may be equal.

__kernel void lower_bound(__global int *finder, __global const int *table,
                          __global const int *key, int n) {
  __requires(n == 100);
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
  finder[low] = i;
}
