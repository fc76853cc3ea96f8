//pass
//--local_size=64 --num_groups=4

// A structure of pointers is passed by value, which OpenCL forbids and many compilers take.

typedef struct {
  __global const float *x;
  __global float *y;
  int n;
} Vectors;

__kernel void scale(Vectors v, float a) {
  int i = get_global_id(0);
  if (i < v.n)
    v.y[i] = a * v.x[i];
}
