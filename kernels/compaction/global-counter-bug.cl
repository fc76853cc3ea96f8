//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
//race

// The counter is read, used and only then moved on.

__kernel void compact(__global int *out, __global uint *counter, __global const int *in) {
  int x = in[get_global_id(0)];
  if (x != 0) {
    uint place = atomic_add(counter, 0);
    out[place] = x;
    atomic_inc(counter);
  }
}
