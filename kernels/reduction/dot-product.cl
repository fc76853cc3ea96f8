//pass
//--local_size=32 --num_groups=4

// Private sums over a strided range come before the tree.

__kernel void dot_product(__global float *out, __global const float4 *x,
                          __global const float4 *y, int n) {
  __requires(n >= 0);
  __requires(n <= 100000);
  __local float s[32];
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += dot(x[i], y[i]);
  s[l] = sum;
  for (int active = 16; active > 0; active >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < active)
      s[l] += s[l + active];
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}
