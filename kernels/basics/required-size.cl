//pass
//--local_size=[8,8] --num_groups=[4,1]

// The work-group size is fixed by an attribute, so the tile can be indexed by it.

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void
flip(__global int *out, __global const int *in) {
  __local int tile[64];
  size_t l = get_local_id(1) * 8 + get_local_id(0);
  size_t base = get_group_id(0) * 64;
  tile[l] = in[base + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = tile[63 - l];
}
