//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1

// Sums may wrap, so two threads may have the last place.

void __spec_prescan(__global uint *idx, __global const uint *flag) {
  uint t = get_local_id(0);
  __reads_from(flag);
  __writes_to(idx);
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  __ensures(__implies(t < __other_int(t), idx[t] + flag[t] <= __other_int(idx[t])));
}

__kernel void compact(__global int *out, __global const int *data, __global uint *flag, __global uint *idx) {
  uint t = get_local_id(0);
  flag[t] = data[t] > 0 ? 1 : 0;
  barrier(CLK_GLOBAL_MEM_FENCE);
  __spec_prescan(idx, flag);
  if (flag[t])
    out[idx[t]] = data[t];
}
