//prove:unproven
//

// What a loop with barriers stores on one way is seen behind both, though the other way has as
// many barriers. No run tries the argument.

//@ requires \threads <= 2000000000;
//@ ensures \forall int j; 0 <= j < \threads ==> c[j] == 7;
__global__ void k(int *c, int m) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = 7;
  __syncthreads();
  if (m == 123456789) {
    for (int k = 0; k < 2; k++) { __syncthreads(); s[t] = 3; __syncthreads(); }
  } else { __syncthreads(); __syncthreads(); }
  __syncthreads();
  c[blockIdx.x * blockDim.x + t] = s[t];
}
