//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
//race

// The counters are distinct but both count up from anywhere into the same array.

__kernel void partition(__global int *out, __global int *positive, __global int *negative,
                        __global const int *in) {
  int x = in[get_global_id(0)];
  if (x >= 0)
    out[atomic_inc(positive)] = x;
  else
    out[atomic_inc(negative)] = x;
}
