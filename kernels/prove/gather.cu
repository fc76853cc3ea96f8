//prove:proved
//

// Elements by their indices, which are data.

//@ requires 0 <= n && n <= \threads;
//@ ensures \forall int j; 0 <= j < n ==> out[j] == in[index[j]];
//@ assigns out[0 .. n - 1];
__global__ void gather(float *out, const float *in, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = in[index[i]]; }
}
