//prove:refuted
//

// Off by one.

//@ requires blockDim.x == 64;
//@ ensures \forall int b, j; 0 <= b < gridDim.x && 0 <= j < 64 ==> out[64 * b + j] == in[64 * b + 63 - j];
__global__ void reverse(int *out, const int *in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[62 - threadIdx.x + (threadIdx.x == 63)];
}
