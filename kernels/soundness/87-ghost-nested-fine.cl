//pass
//--local_size=64 --num_groups=1

// Each work item follows an index that it wrote itself, to a cell that nobody changes.

kernel void nested(local int *restrict index, local int *restrict s) {
  uint t = get_local_id(0);
  s[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  int mine = s[t];
  index[t] = t;
  __unsafe_assert(s[index[t]] == mine);
}
