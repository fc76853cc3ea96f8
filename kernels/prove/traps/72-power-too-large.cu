//prove:unproven
//

// A power that 64 bits do not hold is positive; no run tries it.

//@ requires 0 <= k <= 63;
//@ ensures c[0] == (\pow2(k) > 0 ? 1 : 0);
__global__ void k(int *c, int k) {
  if (threadIdx.x == 0 && blockIdx.x == 0) { c[0] = k < 63; }
}
