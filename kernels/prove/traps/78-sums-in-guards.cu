//prove:unproven
//

// The guard of an invariant has a sum that is another one in each block. No run tries the
// argument.

//@ logic int S(int b) = (int)\sum(int k; 0 <= k < m; a[b + 2 * k]);
//@ requires gridDim.x == 2 && 1 <= m && m <= 1000 && blockDim.x == 2 && T == 0;
//@ ensures (c[0] == 7 && c[2] == 7) || (c[1] == 7 && c[3] == 7);
__global__ void k(int *__restrict__ c, const int *__restrict__ a, int m, int z, int T) {
  extern __shared__ int s[];
  int t = threadIdx.x, x = 0;
  for (int k = 0; k < m; k++) { x += a[blockIdx.x + 2 * k]; }
  s[t] = x == 5 ? 3 + 4 * t : 7 - 4 * t;
  __syncthreads();
  //@ loop invariant \forall int v; 0 <= v < 2 && loop_count == 0 && 5 * v == (S(blockIdx.x) == 5 ? 5 : 0) ==> s[v] == 7;
  for (int k = 0; k < T; k++) { s[t] = 1; __syncthreads(); }
  __syncthreads();
  int w = s[t];
  c[blockIdx.x * blockDim.x + t] = z == 123456789 ? w : 7;
}
