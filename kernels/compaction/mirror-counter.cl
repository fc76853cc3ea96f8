//pass
//--local_size=64 --num_groups=2

// Positive numbers from the front, negative ones from the back: two counters, two arrays.

__kernel void partition(__global int *front, __global int *back, __global int *up,
                        __global int *down, __global const int *in) {
  int x = in[get_global_id(0)];
  if (x >= 0)
    front[atomic_inc(up)] = x;
  else
    back[atomic_dec(down)] = x;
}
