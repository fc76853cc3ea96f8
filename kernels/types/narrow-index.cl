//pass
//--local_size=64 --num_groups=4

// An index of 16 bits is wide enough for 256 work-items.

__kernel void narrow(__global int *out) {
  ushort i = get_global_id(0);
  out[i] = get_local_id(0);
}
