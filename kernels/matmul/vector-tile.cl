//pass
//--local_size=[8,8] --num_groups=[2,4]

// Each work-item computes four elements of a row, held in one vector.

__kernel void matmul4(__global float4 *c, __global const float *a, __global const float4 *b,
                      int n4) {
  __requires(n4 == 16);
  int column = get_global_id(0);
  int row = get_global_id(1);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < 4 * n4; k++)
    sum += a[row * 4 * n4 + k] * b[k * n4 + column];
  c[row * n4 + column] = sum;
}
