//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=4
//race

// The queue is emptied before everyone has filled it.

__kernel void frontier(__global int *next, __global int *length, __global const int *degree) {
  __local int queue[32];
  __local uint count;
  uint l = get_local_id(0);
  if (l == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (degree[get_global_id(0)] > 2)
    queue[atomic_inc(&count)] = get_global_id(0);
  if (l < count)
    next[get_group_id(0) * 32 + l] = queue[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    length[get_group_id(0)] = count;
}
