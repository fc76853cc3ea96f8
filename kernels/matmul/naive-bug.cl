//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[2,2]
//write-write-race

// Rows of the result are indexed by the local id: groups above one another collide.

__kernel void matmul(__global float *c, __global const float *a, __global const float *b, int n) {
  __requires(n == 16);
  int row = get_global_id(1);
  int column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[get_local_id(1) * n + column] = sum;
}
