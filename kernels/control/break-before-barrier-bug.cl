//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=2
//(exit-before-barrier|barrier-divergence)

// A work-item that finds the key returns, and the others wait for it.

__kernel void find(__global int *out, __global const int *a, int key, int n) {
  __requires(n >= 0);
  __requires(n <= 100000);
  __local int place[32];
  int l = get_local_id(0);
  place[l] = -1;
  for (int i = l; i < n; i += 32) {
    if (a[i] == key)
      return;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[get_group_id(0)] = place[1];
}
