//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --std=CL2.0
//read-write-race

// The barrier orders accesses to global memory, which images are not part of.

__kernel void neighbours(__read_write image2d_t im, __global int *out) {
  int x = get_local_id(0);
  write_imagei(im, (int2)(x, 0), (int4)(x));
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[x] = read_imagei(im, (int2)(x ^ 1, 0)).x;
}
