//pass
//--local_size=64 --num_groups=4

// A counter hands out places; each is handed out once.

__kernel void compact(__global int *out, __global uint *counter, __global const int *in) {
  int x = in[get_global_id(0)];
  if (x != 0)
    out[atomic_inc(counter)] = x;
}
