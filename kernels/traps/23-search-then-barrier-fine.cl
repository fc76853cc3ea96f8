//pass
//--local_size=32 --num_groups=1

// Work-items leave the loop at different places, but all meet at the one barrier after it.

__kernel void search_then_barrier(__global int *out, __global const int *a, int key, int n) {
  __requires(n >= 0);
  __requires(n <= 1000);
  int i;
  for (i = get_local_id(0); i < n; i += 32)
    if (a[i] == key)
      break;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = i;
}
