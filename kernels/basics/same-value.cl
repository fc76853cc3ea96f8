//pass
//--local_size=64 --num_groups=4

// All work-items that see a negative number write the same flag: tolerated by default.

__kernel void any_negative(__global int *flag, __global const int *in) {
  if (in[get_global_id(0)] < 0)
    *flag = 1;
}
