//prove:refuted
//

// A function whose value is 2^32 is positive, though it is 0 modulo 2^32.

//@ logic int f(int k) = k <= 0 ? 1 : f(k - 1) * 65536;
//@ ensures c[0] == (int)(f(2) > 0 ? 5 : 6);
__global__ void k(int *c) {
  if (threadIdx.x == 0 && blockIdx.x == 0) { c[0] = 6; }
}
