//prove:proved
//

// The same through local memory.

//@ requires get_num_groups(0) == 1 && get_local_size(0) == 64 && get_global_offset(0) == 0;
//@ ensures \forall int j; 0 <= j < 64 ==> c[j] == a[63 - j];
__kernel void swap(__global int *c, __global const int *a) {
  __local int b[64];
  int t = get_local_id(0);
  b[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[t] = b[63 - t];
}
