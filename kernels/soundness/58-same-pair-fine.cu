//pass
//--blockDim=64 --gridDim=1

// All threads write the same pair.

__global__ void same(int2 *a, int n) {
  a[0] = make_int2(n, n + 1);
}
