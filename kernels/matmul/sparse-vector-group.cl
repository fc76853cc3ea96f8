//pass
//--local_size=32 --num_groups=8

// One row for each group: the work-items share the row and add their parts in a tree.

__kernel void spmv_group(__global float *y, __global const float *value,
                         __global const int *column, __global const int *row_start,
                         __global const float *x) {
  __local float s[32];
  int l = get_local_id(0);
  int row = get_group_id(0);
  float sum = 0.0f;
  for (int k = row_start[row] + l; k < row_start[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  s[l] = sum;
  for (int active = 16; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < active)
      s[l] += s[l + active];
  }
  if (l == 0)
    y[row] = s[0];
}
