//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=2
//barrier-divergence

// The loop starts at the work-item's own id, so some go round once more than others.

__kernel void rounds(__global int *out, __global const int *in, int n) {
  __requires(n >= 0);
  __requires(n < 1000);
  __local int s[32];
  int l = get_local_id(0);
  int sum = 0;
  for (int i = l; i < n; i += 32) {
    s[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += s[l];
  }
  out[get_global_id(0)] = sum;
}
