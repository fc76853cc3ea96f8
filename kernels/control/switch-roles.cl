//pass
//--local_size=64 --num_groups=2

// Four roles, each with its own quarter of the output.

__kernel void roles(__global int *out, __global const int *in) {
  uint i = get_global_id(0);
  uint place = i / 4;
  switch (i % 4) {
  case 0:
    out[place] = in[i];
    break;
  case 1:
    out[32 + place] = -in[i];
    break;
  case 2:
    out[64 + place] = in[i] / 2;
    break;
  default:
    out[96 + place] = 0;
  }
}
