//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
//read-write-race

// The update reads the neighbour's element of y while the neighbour writes it.

__kernel void saxpy(__global float *y, __global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i + 1 < n)
    y[i] = a * x[i] + y[i + 1];
}
