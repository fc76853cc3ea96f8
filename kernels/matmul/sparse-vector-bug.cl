//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//(write-write|read-write)-race

// The transposed product scatters into places that several rows share.

__kernel void spmv(__global float *y, __global const float *value, __global const int *column,
                   __global const int *row_start, __global const float *x, int rows) {
  int row = get_global_id(0);
  if (row < rows) {
    for (int k = row_start[row]; k < row_start[row + 1]; k++)
      y[column[k]] += value[k] * x[row];
  }
}
