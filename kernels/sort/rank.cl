//pass
//--local_size=64 --num_groups=2

// Each work-item counts how many numbers are smaller than its own.

__kernel void rank(__global int *position, __global const int *key, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int smaller = 0;
  for (int k = 0; k < n; k++)
    smaller += key[k] < key[i] || (key[k] == key[i] && k < i);
  position[i] = smaller;
}
