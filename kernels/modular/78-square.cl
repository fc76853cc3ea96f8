//pass
//--local_size=64 --num_groups=1 --no-inline

// A function that is verified by itself and known to its caller by its contract, in OpenCL.

int square(int x) {
  __requires(x >= 0 & x < 1000);
  __ensures(__return_val_int() >= 0 & __return_val_int() < 1000000);
  return x * x;
}

__kernel void k(__global int *out) {
  int t = get_local_id(0);
  int v = square(t);
  __assert(v < 1000000);
  out[t] = v;
}
