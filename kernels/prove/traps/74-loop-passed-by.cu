//prove:unproven
//

// What is stated at a loop holds of those that come to it; for one argument nobody does. No run
// tries that argument.

//@ requires 0 <= m;
//@ ensures \forall int j; 0 <= j < \threads ==> c[j] == 7;
//@ requires \threads <= 1000000;
__global__ void k(int *c, int m) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = m == 123456789 ? 3 : 7;
  __syncthreads();
  if (m != 123456789) {
    //@ loop invariant \forall int x; 0 <= x < blockDim.x ==> s[x] == 7;
    for (int k = 0; k < 2; k++) { int v = s[t]; __syncthreads(); s[t] = v; __syncthreads(); }
  }
  __syncthreads();
  c[blockIdx.x * blockDim.x + t] = s[t];
}
