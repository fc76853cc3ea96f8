//pass
//--blockDim=64 --gridDim=1
//no signed overflow at line 10

// Here the product is computed before the access, which it keeps inside 64
// elements: no signed overflow tells the threads apart.

__global__ void scatter(int *a, int n) {
  __requires(n > 0);
  int p = threadIdx.x == 0 ? 0 : (int)threadIdx.x * n;
  a[p / n] = threadIdx.x;
}
