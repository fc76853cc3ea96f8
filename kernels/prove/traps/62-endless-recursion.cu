//prove:unproven
//

// A function whose recursion has no end: there is none such, and everything would follow.

//@ logic int f(int k) = f(k) + 1;
//@ ensures c[0] == (int)f(0);
__global__ void k(int *c) {
  if (threadIdx.x == 0 && blockIdx.x == 0) { c[0] = 7; }
}
