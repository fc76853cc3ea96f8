//pass
//--local_size=64 --num_groups=1 --no-inline

// The call inside of a function is known by the contract that is being shown.

uint f(uint n) {
  __requires(n <= 5);
  __ensures(__return_val_int() >= 1);
  return n == 0 ? 1 : n * f(n - 1) % 7 + 1;
}
__kernel void k(__global uint *out) {
  uint t = get_local_id(0);
  uint v = f(t & 3);
  __assert(v >= 1);
  out[t] = v;
}
