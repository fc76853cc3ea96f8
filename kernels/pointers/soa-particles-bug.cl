//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// Both components lie in one array of 2n numbers, but the second starts at n - 1.

__kernel void move(__global float *xy, __global const float *v, float dt, int n) {
  __requires(n == 128);
  int i = get_global_id(0);
  __global float *x = xy;
  __global float *y = xy + n - 1;
  x[i] += v[i] * dt;
  y[i] += v[n + i] * dt;
}
