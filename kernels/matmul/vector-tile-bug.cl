//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[2,4]
//write-write-race

// Four numbers are stored at every second number: the vectors overlap.

__kernel void matmul4(__global float *c, __global const float *a, __global const float4 *b,
                      int n4) {
  __requires(n4 == 16);
  int column = get_global_id(0);
  int row = get_global_id(1);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < 4 * n4; k++)
    sum += a[row * 4 * n4 + k] * b[k * n4 + column];
  vstore4(sum, 0, c + (row * n4 + column) * 2);
}
