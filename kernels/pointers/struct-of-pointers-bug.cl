//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//read-write-race

// The result is written over the input, one element on.

typedef struct {
  __global float *x;
  int n;
} Vector;

__kernel void shift(Vector v) {
  int i = get_global_id(0);
  if (i < v.n)
    v.x[i + 1] = v.x[i];
}
