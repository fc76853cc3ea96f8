//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//write-write-race

// Here the flag says which work-item saw the negative number, and they disagree.

__kernel void any_negative(__global int *flag, __global const int *in) {
  if (in[get_global_id(0)] < 0)
    *flag = get_global_id(0);
}
