//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --k-induction-depth=3
//race

// Three rounds go well, and three more after any three that went well may not: the zero
// is on its way for longer than induction goes back.

__global__ void chain(int *p, int n) {
  int a = 1, b = 1, c = 1, d = 1;
  for (int i = 0; __invariant(a == 1), i < n; i++) {
    p[threadIdx.x * a] = threadIdx.x;
    a = b;
    b = c;
    c = d;
    d = 0;
  }
}
