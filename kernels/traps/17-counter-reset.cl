//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1
//write-write-race

// The counter is set back and hands out the same places again; the barriers order local memory
// only, so the two writes to a place are not ordered.

__kernel void reset(__global int *out) {
  __local uint counter;
  int l = get_local_id(0);
  if (l == 0)
    counter = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[atomic_inc(&counter)] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    counter = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[atomic_inc(&counter)] = l + 100;
}
