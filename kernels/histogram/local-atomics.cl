//pass
//--local_size=64 --num_groups=4

// Each group counts in local memory and adds its counts to the total.

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
    atomic_add(&total[l], bins[l]);
}
