//pass
//--local_size=32 --num_groups=2

// All work-items go round equally often, whatever n is.

__kernel void rounds(__global int *out, __global const int *in, int n) {
  __requires(n <= 100000);
  __local int s[32];
  int l = get_local_id(0);
  int sum = 0;
  for (int base = 0; base < n; base += 32) {
    s[l] = base + l < n ? in[base + l] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; k++)
      sum += s[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
