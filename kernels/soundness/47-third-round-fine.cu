//pass
//--blockDim=64 --gridDim=1 --k-induction-depth=3 --no-infer

// The one arrives after three rounds, so that one round, or two, say nothing of the next.

__global__ void chain(int *p, int n, int one) {
  __requires(one == 1);
  int a = one, b = one, c = one, d = one;
  for (int i = 0; __invariant(a == 1), i < n; i++) {
    p[threadIdx.x * a] = threadIdx.x;
    a = b;
    b = c;
    c = d;
    d = 1;
  }
}
