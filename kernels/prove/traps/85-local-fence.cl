//prove:refuted
//

// The barrier orders local memory only, and a neighbour's element is read from global memory.

//@ requires get_num_groups(0) == 1 && get_local_size(0) == 64 && get_global_offset(0) == 0;
//@ ensures \forall int j; 0 <= j < 64 ==> c[j] == a[63 - j];
__kernel void swap(__global int *c, __global const int *a, __global int *b) {
  int t = get_local_id(0);
  b[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[t] = b[63 - t];
}
