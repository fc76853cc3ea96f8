//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//write-write-race

// A forgotten break: the second role also does the work of the third.

__kernel void roles(__global int *out, __global const int *in) {
  uint i = get_global_id(0);
  uint place = i / 4;
  switch (i % 4) {
  case 0:
    out[place] = in[i];
    break;
  case 1:
    out[32 + place] = -in[i];
  case 2:
    out[64 + place] = in[i] / 2;
    break;
  default:
    out[96 + place] = 0;
  }
}
