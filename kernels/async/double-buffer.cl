//pass
//--local_size=32 --num_groups=2

// While one tile is worked on, the next is on its way into the other buffer.

__kernel void stream(__global int *out, __global const int *in, int tiles) {
  __requires(tiles == 4);
  __local int a[32];
  __local int b[32];
  int l = get_local_id(0);
  int sum = 0;
  for (int t = 0; t < tiles; t += 2) {
    event_t first = async_work_group_copy(a, in + 32 * t, 32, 0);
    event_t second = async_work_group_copy(b, in + 32 * (t + 1), 32, 0);
    wait_group_events(1, &first);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += a[31 - l];
    wait_group_events(1, &second);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += b[31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
