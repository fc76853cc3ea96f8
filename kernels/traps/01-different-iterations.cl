//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
//write-write-race

// The loop counter is the same for all, but they are in different iterations.

__kernel void different_iterations(__global int *a, int n) {
  __requires(n == 4);
  int l = get_local_id(0);
  for (int i = 0; i < n; i++)
    a[l + i] = l;
}
