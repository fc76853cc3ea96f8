//prove:proved
//

// Every fourth element of an array whose length is a multiple of four.

//@ requires 0 <= n && n % 4 == 0 && n / 4 <= \threads;
//@ ensures \forall int j; 0 <= j < n / 4 ==> out[j] == in[4 * j];
__global__ void quarter(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) { out[i] = in[4 * i]; }
}
