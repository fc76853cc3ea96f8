//pass
//--local_size=64 --num_groups=2

// Particles as a struct of arrays: each component is an array of its own.

__kernel void move(__global float *x, __global float *y, __global const float *vx,
                   __global const float *vy, float dt, int n) {
  int i = get_global_id(0);
  if (i < n) {
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
  }
}
