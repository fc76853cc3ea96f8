//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1 --k-induction-depth=3 --no-infer
//race

// What induction over three rounds supposes of the rounds before the first three has to
// be seen in those: the zero arrives in the third.

__global__ void chain(int *p, int n) {
  int a = 1, b = 1, c = 0;
  for (int i = 0; __invariant(a == 1), i < n; i++) {
    p[threadIdx.x * a] = threadIdx.x;
    a = b;
    b = c;
    c = 1;
  }
}
