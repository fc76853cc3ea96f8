//prove:refuted
//

// The last element of each row is missing.

//@ requires 0 <= n && n <= 100000 && 1 <= per && per <= 1000 && n == per*\threads;
//@ ensures \forall int j; 0 <= j < n ==> out[j] == 3*in[j];
__global__ void chunk(int *out, const int *in, int n, int per) {
  int t = blockIdx.x*blockDim.x + threadIdx.x;
  for (int k = 0; k < per - 1; k++) out[t*per + k] = 3*in[t*per + k];
}
