//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
//write-write-race

// One of the exits leaves a mark in a common cell.

__global__ void classify(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __requires(n == 100);
  if (i >= n)
    return;
  int v = in[i];
  if (v < 1000000) {
    out[0] = i;
    return;
  }
  if (v == 0)
    return;
  out[i] = 1;
}
