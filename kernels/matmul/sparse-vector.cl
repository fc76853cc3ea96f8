//pass
//--local_size=64 --num_groups=4

// A sparse matrix in compressed rows times a vector: one row for each work-item.

__kernel void spmv(__global float *y, __global const float *value, __global const int *column,
                   __global const int *row_start, __global const float *x, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; k++)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}
