//xfail:NOT_ALL_VERIFIED
//--local_size=16 --num_groups=4
//race

// Two work-items share a row of bins.

#define BINS 16

__kernel void histogram(__global uint *group_bins, __global const uchar *in) {
  __local uchar bins[16][BINS];
  uint l = get_local_id(0);
  for (uint b = 0; b < BINS; b++)
    bins[l][b] = 0;
  for (uint k = 0; k < 8; k++)
    bins[l / 2][in[get_global_id(0) * 8 + k] % BINS]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint row = 0; row < 16; row++)
    sum += bins[row][l];
  group_bins[get_group_id(0) * BINS + l] = sum;
}
