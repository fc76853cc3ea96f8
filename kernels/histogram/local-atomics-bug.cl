//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The counts of a group are added to the total without an atomic.

#define BINS 32

__kernel void histogram(__global uint *total, __global const uchar *in) {
  __local uint bins[BINS];
  uint l = get_local_id(0);
  if (l < BINS)
    bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)] % BINS]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < BINS)
    total[l] += bins[l];
}
