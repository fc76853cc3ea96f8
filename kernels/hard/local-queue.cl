//pass
//--local_size=32 --num_groups=4

// A queue in local memory, filled through a counter and emptied after a barrier. Hard, for the
// counter is also set to zero by a plain write, in an interval of its own.

__kernel void frontier(__global int *next, __global int *length, __global const int *degree) {
  __local int queue[32];
  __local uint count;
  uint l = get_local_id(0);
  if (l == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (degree[get_global_id(0)] > 2)
    queue[atomic_inc(&count)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < count)
    next[get_group_id(0) * 32 + l] = queue[l];
  if (l == 0)
    length[get_group_id(0)] = count;
}
