//prove:proved
//

// The whole index falls: one thread for each element, from the end.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> out[j] == in[n - 1 - j];
//@ assigns out[0 .. n-1];
__global__ void reverse(int *out, const int *in, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) { out[n - 1 - i] = in[i]; }
}
