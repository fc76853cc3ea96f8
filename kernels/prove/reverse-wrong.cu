//prove:refuted
//

// Off by one: the last element is not written.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> out[j] == in[n - 1 - j];
//@ assigns out[0 .. n-1];
__global__ void reverse(int *out, const int *in, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n - 1) { out[n - 2 - i] = in[i]; }
}
