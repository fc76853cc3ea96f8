//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --no-inline

// The call does not meet what the function requires.

int square(int x) {
  __requires(x >= 0 & x < 1000);
  __ensures(__return_val_int() >= 0 & __return_val_int() < 1000000);
  return x * x;
}

__kernel void k(__global int *out) {
  int t = get_local_id(0);
  int v = square(t+1000);
  __assert(v < 1000000);
  out[t] = v;
}
